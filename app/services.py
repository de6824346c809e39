"""The services of all domains, bound to one caller; connects the ports of lower domains."""

from collections.abc import Mapping
from typing import ClassVar

from app.core.record import Node
from app.domains.characters.service import (
    CharacterDeletion,
    CharacterGoals,
    Characters,
    GoalMessages,
    Polling,
    Progress,
)
from app.domains.community.service import (
    Assist,
    AssistMessages,
    CommunityAccountDeletion,
    Companies,
    CompanyDeletion,
    Messages,
    Moderation,
    Offers,
    RoomMembers,
    Rooms,
    Sharing,
    TagSearch,
)
from app.domains.community.service.ports import RecordFinder
from app.domains.goals.service import (
    Bulk,
    Criteria,
    Dashboards,
    Dependencies,
    Goals,
    GoalWriter,
    Links,
    Milestones,
    NameCounts,
    Projects,
    ProjectWriter,
    Removals,
    Tasks,
)
from app.domains.goals.service.ports import TaskObserver
from app.domains.notifications.service import Channels, Inbox, Reminders
from app.domains.people.service import Accounts, Identity, Profiles
from app.domains.people.service.ports import DeletedAccounts, NewAccounts
from app.domains.plans.service import Completion, DailyPlans, Values
from app.domains.quests.service import (
    Payouts,
    QuestAccountDeletion,
    QuestCatalogue,
    QuestClaims,
    Quests,
    Reviews,
    WalletAddresses,
)
from app.domains.rewards.service import Rewards, WalletHistory, Wallets
from app.domains.service import Scope, uses
from app.domains.tracking.service import (
    Charts,
    HabitCalendars,
    HabitLogs,
    Habits,
    Imports,
    Insights,
    Logbook,
    MetricDays,
    MetricLogs,
    MetricRepairs,
    Metrics,
)
from app.domains.tracking.service.ports import LinkedGoals, SharedRecords
from app.nodes import kind_by_name
from app.search import Search


class EveryDomain(DeletedAccounts):
    """All domains that keep something of a user in partitions of others."""

    async def on_account_deleted(self) -> None:
        for kind in (CommunityAccountDeletion, QuestAccountDeletion, Characters):
            await self.scope.get(kind).on_account_deleted()


class EveryRecord(RecordFinder):
    async def find(self, kind: str, record_id: str) -> Node | None:
        return await kind_by_name(kind).find(self.scope, record_id)


class Services(Scope):
    ports: ClassVar[Mapping[type, type]] = {
        DeletedAccounts: EveryDomain,
        LinkedGoals: Goals,
        NewAccounts: Wallets,
        RecordFinder: EveryRecord,
        SharedRecords: Sharing,
        TaskObserver: Completion,
    }

    profiles = uses(Profiles)
    identity = uses(Identity)
    accounts = uses(Accounts)
    channels = uses(Channels)
    inbox = uses(Inbox)
    characters = uses(Characters)
    character_deletion = uses(CharacterDeletion)
    character_goals = uses(CharacterGoals)
    progress_of_goals = uses(Progress)
    polling = uses(Polling)
    goal_messages = uses(GoalMessages)
    reminders = uses(Reminders)
    wallets = uses(Wallets)
    wallet_history = uses(WalletHistory)
    rewards = uses(Rewards)
    metrics = uses(Metrics)
    habits = uses(Habits)
    quests = uses(Quests)
    quest_claims = uses(QuestClaims)
    quest_reviews = uses(Reviews)
    payouts = uses(Payouts)
    quest_catalogue = uses(QuestCatalogue)
    wallet_addresses = uses(WalletAddresses)
    values = uses(Values)
    plans = uses(DailyPlans)
    completion = uses(Completion)
    goal_writer = uses(GoalWriter)
    project_writer = uses(ProjectWriter)
    tasks = uses(Tasks)
    bulk = uses(Bulk)
    name_counts = uses(NameCounts)
    dependencies = uses(Dependencies)
    criteria = uses(Criteria)
    goals = uses(Goals)
    milestones = uses(Milestones)
    projects = uses(Projects)
    links = uses(Links)
    removals = uses(Removals)
    dashboards = uses(Dashboards)
    metric_days = uses(MetricDays)
    metric_logs = uses(MetricLogs)
    metric_repairs = uses(MetricRepairs)
    habit_calendars = uses(HabitCalendars)
    habit_logs = uses(HabitLogs)
    charts = uses(Charts)
    imports = uses(Imports)
    insights = uses(Insights)
    logbook = uses(Logbook)
    rooms = uses(Rooms)
    room_members = uses(RoomMembers)
    messages = uses(Messages)
    moderation = uses(Moderation)
    sharing = uses(Sharing)
    assist = uses(Assist)
    assist_messages = uses(AssistMessages)
    companies = uses(Companies)
    company_deletion = uses(CompanyDeletion)
    offers = uses(Offers)
    tag_search = uses(TagSearch)
    records = uses(RecordFinder)
    search = uses(Search)
