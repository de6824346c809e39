"""Everything one caller can do: the services of all domains, bound to that caller."""

from functools import cached_property

from app.core.caching import Caching
from app.core.caller import Caller, acting_for
from app.core.record import Node
from app.domains.characters.service import (
    CharacterGoals,
    Characters,
    GoalNews,
    Polling,
    Progress,
)
from app.domains.community.service import (
    Assist,
    AssistMessages,
    CommunityDeparture,
    Companies,
    CompanyClosing,
    Messages,
    Moderation,
    Offers,
    RoomMembers,
    Rooms,
    Sharing,
    Tags,
)
from app.domains.goals.service import (
    Bulk,
    Criteria,
    Dashboards,
    Dependencies,
    GoalKeeper,
    Goals,
    Links,
    Milestones,
    ProjectKeeper,
    Projects,
    Removals,
    Tasks,
)
from app.domains.notifications.service import Channels, Inbox, Reminders
from app.domains.people.service import Accounts, Identity, Profiles
from app.domains.plans.service import Completion, Plans, TaskLinks, Values
from app.domains.quests.service import (
    Claims,
    Payouts,
    QuestCatalogue,
    QuestDeparture,
    Quests,
    Reviews,
    WalletAddresses,
)
from app.domains.rewards.service import Rewards, Wallets
from app.domains.tracking.service import (
    Charts,
    HabitLogs,
    Habits,
    Imports,
    Insights,
    Logbook,
    MetricLogs,
    Metrics,
)
from app.nodes import kind_called
from app.resources import Resources


class Services(Caching):
    def __init__(self, resources: Resources, caller: Caller) -> None:
        self.resources = resources
        self.caller = caller

    @cached_property
    def _mine(self) -> tuple[Resources, Caller, Profiles]:
        """What most services begin with."""
        return self.resources, self.caller, self.profiles

    @cached_property
    def profiles(self) -> Profiles:
        return Profiles(
            self.resources,
            self.caller,
            lambda user: self.wallets.wallet_for_newcomer(user.id, user.created_at),
        )

    @cached_property
    def identity(self) -> Identity:
        return Identity(self.resources, self.caller, self.profiles)

    @cached_property
    def accounts(self) -> Accounts:
        return Accounts(
            *self._mine,
            self.identity,
            leavers=lambda: [self.community_departure, self.quest_departure, self.characters],
        )

    @cached_property
    def channels(self) -> Channels:
        return Channels(self.resources, self.caller)

    @cached_property
    def inbox(self) -> Inbox:
        return Inbox(self.resources, self.caller, self.profiles, self.channels)

    @cached_property
    def characters(self) -> Characters:
        return Characters(self.resources, self.caller, self.inbox)

    @cached_property
    def character_goals(self) -> CharacterGoals:
        return CharacterGoals(self.resources, self.caller, self.characters, self.inbox)

    @cached_property
    def progress_of_goals(self) -> Progress:
        return Progress(self.resources, self.caller, self.character_goals)

    @cached_property
    def polling(self) -> Polling:
        return Polling(self.resources, self.caller, self.characters, self.progress_of_goals)

    @cached_property
    def goal_news(self) -> GoalNews:
        return GoalNews(self.resources, self.caller, self.character_goals, self.inbox)

    @cached_property
    def reminders(self) -> Reminders:
        return Reminders(self.resources, self.caller, self.inbox)

    @cached_property
    def wallets(self) -> Wallets:
        return Wallets(self.resources, self.caller)

    @cached_property
    def rewards(self) -> Rewards:
        return Rewards(*self._mine, self.wallets)

    @cached_property
    def metrics(self) -> Metrics:
        return Metrics(
            *self._mine,
            when_changed=lambda goal_ids: self.goals.refresh(goal_ids),
            link_rows=lambda metric_id, goal_ids: self.goals.metric_links(metric_id, goal_ids),
        )

    @cached_property
    def habits(self) -> Habits:
        return Habits(
            *self._mine,
            when_changed=lambda goal_ids: self.goals.refresh(goal_ids),
            link_rows=lambda habit_id, goal_ids: self.goals.habit_links(habit_id, goal_ids),
            when_gone=lambda habit_id: self.sharing.forget("HABIT", habit_id),
        )

    @cached_property
    def quests(self) -> Quests:
        return Quests(self.resources, self.caller, self._tasks_of, self.profiles)

    @cached_property
    def quest_claims(self) -> Claims:
        return Claims(self.resources, self.caller, self._tasks_of)

    @cached_property
    def quest_departure(self) -> QuestDeparture:
        return QuestDeparture(self.resources, self.caller, self._tasks_of)

    def _tasks_of(self, user_id: str) -> Tasks:
        return Services(self.resources, acting_for(user_id)).tasks

    @cached_property
    def quest_reviews(self) -> Reviews:
        return Reviews(self.resources, self.caller, self._tasks_of, self.profiles, self.payouts)

    @cached_property
    def payouts(self) -> Payouts:
        return Payouts(self.resources, self.caller, self.profiles)

    @cached_property
    def quest_catalogue(self) -> QuestCatalogue:
        return QuestCatalogue(self.resources, self.caller)

    @cached_property
    def wallet_addresses(self) -> WalletAddresses:
        return WalletAddresses(self.resources, self.caller, self.profiles)

    @cached_property
    def values(self) -> Values:
        return Values(*self._mine, TaskLinks(self.resources, self.caller, self.tasks))

    @cached_property
    def plans(self) -> Plans:
        return Plans(self.resources, self.caller, self.profiles, self.values)

    @cached_property
    def completion(self) -> Completion:
        return Completion(
            self.resources,
            self.caller,
            profiles=self.profiles,
            values=self.values,
            plans=self.plans,
        )

    @cached_property
    def goal_keeper(self) -> GoalKeeper:
        return GoalKeeper(*self._mine, self.metrics, self.habits)

    @cached_property
    def project_keeper(self) -> ProjectKeeper:
        return ProjectKeeper(*self._mine)

    @cached_property
    def tasks(self) -> Tasks:
        tasks = Tasks(*self._mine, self.wallets, self.goal_keeper, self.project_keeper)
        tasks.when_turned.append(lambda old, new: self.completion.task_turned(new))
        return tasks

    @cached_property
    def bulk(self) -> Bulk:
        return Bulk(*self._mine, self.tasks)

    @cached_property
    def dependencies(self) -> Dependencies:
        return Dependencies(*self._mine)

    @cached_property
    def criteria(self) -> Criteria:
        return Criteria(*self._mine, self.goal_keeper)

    @cached_property
    def goals(self) -> Goals:
        return Goals(*self._mine, self.goal_keeper, self.criteria)

    @cached_property
    def milestones(self) -> Milestones:
        return Milestones(*self._mine, self.goal_keeper)

    @cached_property
    def projects(self) -> Projects:
        return Projects(*self._mine, self.goal_keeper, self.project_keeper)

    @cached_property
    def links(self) -> Links:
        return Links(*self._mine, self.goal_keeper, self.tasks, self.projects)

    @cached_property
    def removals(self) -> Removals:
        unshare = self.sharing.forget
        return Removals(*self._mine, self.goal_keeper, self.project_keeper, when_gone=unshare)

    @cached_property
    def dashboards(self) -> Dashboards:
        return Dashboards(*self._mine, self.wallets, self.habits)

    @cached_property
    def metric_logs(self) -> MetricLogs:
        return MetricLogs(*self._mine, self.metrics, self.wallets, self.inbox.alerting)

    @cached_property
    def habit_logs(self) -> HabitLogs:
        return HabitLogs(*self._mine, self.habits, self.wallets)

    @cached_property
    def charts(self) -> Charts:
        return Charts(*self._mine, self.metrics, self.habits)

    @cached_property
    def imports(self) -> Imports:
        return Imports(*self._mine, self.metrics, self.habits, self.metric_logs)

    @cached_property
    def insights(self) -> Insights:
        return Insights(*self._mine, self.metrics)

    @cached_property
    def logbook(self) -> Logbook:
        return Logbook(*self._mine)

    @cached_property
    def rooms(self) -> Rooms:
        return Rooms(self.resources, self.caller, self.profiles)

    @cached_property
    def room_members(self) -> RoomMembers:
        return RoomMembers(self.resources, self.caller, self.rooms)

    @cached_property
    def messages(self) -> Messages:
        return Messages(self.resources, self.caller, self.rooms)

    @cached_property
    def moderation(self) -> Moderation:
        return Moderation(self.resources, self.caller, self.rooms, self.messages)

    @cached_property
    def sharing(self) -> Sharing:
        return Sharing(*self._mine, self.companies, self._read_as_owner)

    @cached_property
    def assist(self) -> Assist:
        return Assist(self.resources, self.caller, self.profiles, self.sharing)

    @cached_property
    def assist_messages(self) -> AssistMessages:
        return AssistMessages(self.resources, self.caller, self.assist)

    @cached_property
    def companies(self) -> Companies:
        return Companies(self.resources, self.caller, self.profiles)

    @cached_property
    def company_closing(self) -> CompanyClosing:
        return CompanyClosing(self.resources, self.caller, self.companies)

    @cached_property
    def offers(self) -> Offers:
        return Offers(self.resources, self.caller, self.companies)

    @cached_property
    def tags(self) -> Tags:
        return Tags(self.resources, self.caller, self.record)

    @cached_property
    def community_departure(self) -> CommunityDeparture:
        return CommunityDeparture(
            self.resources,
            self.caller,
            room_members=self.room_members,
            messages=self.messages,
            assist=self.assist,
            assist_messages=self.assist_messages,
            companies=self.companies,
            offers=self.offers,
            sharing=self.sharing,
        )

    async def record(self, kind: str, record_id: str) -> Node | None:
        """A record of whichever domain, as this caller may read it."""
        return await kind_called(kind).find(self, record_id)

    async def _read_as_owner(self, owner_id: str, kind: str, record_id: str) -> Node | None:
        """For Sharing alone, which decides who sees it."""
        return await Services(self.resources, acting_for(owner_id)).record(kind, record_id)
