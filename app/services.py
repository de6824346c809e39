"""Everything one caller can do: the services of all domains, bound to that caller."""

from functools import cached_property

from app.core.caller import Caller
from app.domains.people.service import Accounts, Identity, Profiles
from app.domains.rewards.service import Wallets
from app.domains.tracking.service import Habits, Metrics
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
    def metrics(self) -> Metrics:
        return Metrics(self.resources, self.caller, self.profiles)

    @cached_property
    def habits(self) -> Habits:
        return Habits(self.resources, self.caller, self.profiles)
