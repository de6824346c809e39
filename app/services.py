"""Everything one caller can do: the services of all domains, bound to that caller."""

from functools import cached_property

from app.core.caller import Caller
from app.domains.community.service import Messages, Moderation, Rooms
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
from app.domains.people.service import Accounts, Identity, Profiles
from app.domains.plans.service import Completion, Plans, Values
from app.domains.quests.service import (
    Claims,
    Payouts,
    QuestCatalogue,
    Quests,
    Reviews,
    WalletAddresses,
)
from app.domains.rewards.service import Rewards, Wallets
from app.domains.tracking.service import HabitLogs, Habits, Logbook, MetricLogs, Metrics
from app.resources import Resources


class Services:
    def __init__(self, resources: Resources, caller: Caller) -> None:
        self.resources = resources
        self.caller = caller

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
        return Accounts(self.resources, self.caller, self.profiles, self.identity)

    @cached_property
    def wallets(self) -> Wallets:
        return Wallets(self.resources, self.caller)

    @cached_property
    def rewards(self) -> Rewards:
        return Rewards(self.resources, self.caller, self.profiles, self.wallets)

    @cached_property
    def metrics(self) -> Metrics:
        return Metrics(
            self.resources,
            self.caller,
            self.profiles,
            when_changed=lambda goal_ids: self.goals.refresh(goal_ids),
            link_rows=lambda metric_id, goal_ids: self.goals.metric_links(metric_id, goal_ids),
        )

    @cached_property
    def habits(self) -> Habits:
        return Habits(
            self.resources,
            self.caller,
            self.profiles,
            when_changed=lambda goal_ids: self.goals.refresh(goal_ids),
            link_rows=lambda habit_id, goal_ids: self.goals.habit_links(habit_id, goal_ids),
        )

    @cached_property
    def quests(self) -> Quests:
        return Quests(self.resources, self.caller, self.profiles)

    @cached_property
    def quest_claims(self) -> Claims:
        return Claims(self.resources, self.caller)

    @cached_property
    def quest_reviews(self) -> Reviews:
        return Reviews(self.resources, self.caller, self.profiles, self.payouts)

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
        return Values(self.resources, self.caller, self.profiles)

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
        return GoalKeeper(self.resources, self.caller, self.profiles, self.metrics, self.habits)

    @cached_property
    def project_keeper(self) -> ProjectKeeper:
        return ProjectKeeper(self.resources, self.caller, self.profiles)

    @cached_property
    def tasks(self) -> Tasks:
        return Tasks(
            self.resources,
            self.caller,
            self.profiles,
            self.wallets,
            self.goal_keeper,
            self.project_keeper,
        )

    @cached_property
    def bulk(self) -> Bulk:
        return Bulk(self.resources, self.caller, self.profiles, self.tasks)

    @cached_property
    def dependencies(self) -> Dependencies:
        return Dependencies(self.resources, self.caller, self.profiles)

    @cached_property
    def criteria(self) -> Criteria:
        return Criteria(self.resources, self.caller, self.profiles, self.goal_keeper)

    @cached_property
    def goals(self) -> Goals:
        return Goals(self.resources, self.caller, self.profiles, self.goal_keeper, self.criteria)

    @cached_property
    def milestones(self) -> Milestones:
        return Milestones(self.resources, self.caller, self.profiles, self.goal_keeper)

    @cached_property
    def projects(self) -> Projects:
        return Projects(
            self.resources, self.caller, self.profiles, self.goal_keeper, self.project_keeper
        )

    @cached_property
    def links(self) -> Links:
        return Links(
            self.resources,
            self.caller,
            self.profiles,
            self.goal_keeper,
            self.tasks,
            self.projects,
        )

    @cached_property
    def removals(self) -> Removals:
        return Removals(
            self.resources, self.caller, self.profiles, self.goal_keeper, self.project_keeper
        )

    @cached_property
    def dashboards(self) -> Dashboards:
        return Dashboards(self.resources, self.caller, self.profiles, self.wallets, self.habits)

    @cached_property
    def metric_logs(self) -> MetricLogs:
        return MetricLogs(self.resources, self.caller, self.profiles, self.metrics, self.wallets)

    @cached_property
    def habit_logs(self) -> HabitLogs:
        return HabitLogs(self.resources, self.caller, self.profiles, self.habits, self.wallets)

    @cached_property
    def logbook(self) -> Logbook:
        return Logbook(self.resources, self.caller, self.profiles)

    @cached_property
    def rooms(self) -> Rooms:
        return Rooms(self.resources, self.caller, self.profiles)

    @cached_property
    def messages(self) -> Messages:
        return Messages(self.resources, self.caller, self.rooms)

    @cached_property
    def moderation(self) -> Moderation:
        return Moderation(self.resources, self.caller, self.rooms, self.messages)
