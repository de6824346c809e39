"""Names that a user has given, with the number of their records: to choose from."""

import strawberry


@strawberry.type(description="A subcategory of a life area.")
class SubCategoryCount:
    name: str = strawberry.field(description="In the spelling that was used first.")
    total: int = strawberry.field(description="Number of records that have it.")


@strawberry.type(description="One of your life areas. Its spellings in any letter case are one.")
class AreaCount:
    name: str = strawberry.field(description="In the spelling that was used first.")
    total: int = strawberry.field(description="Number of its records of all kinds.")
    goals: int = strawberry.field(description="Number of its goals.")
    tasks: int = strawberry.field(description="Number of its tasks.")
    projects: int = strawberry.field(description="Number of its projects.")
    metrics: int = strawberry.field(description="Number of its metrics.")
    habits: int = strawberry.field(description="Number of its habits.")
    sub_categories: list[SubCategoryCount] = strawberry.field(
        description="The subcategories of its records, by name."
    )


@strawberry.type(description="One of your tags.")
class TagCount:
    name: str = strawberry.field(description="As it is stored, e.g. deep-work.")
    total: int = strawberry.field(description="Number of goals and tasks that have it.")
    goals: int = strawberry.field(description="Number of goals that have it.")
    tasks: int = strawberry.field(description="Number of tasks that have it.")
