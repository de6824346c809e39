"""Ready tabs about goals and tasks."""

from app.web.graphiql.tab import Tab

MY_DAY = Tab(
    title="My day",
    about="""
        Today in your time zone: tasks due, overdue,
        planned and done, and the points you earned.
    """,
    query="""
        query MyDay($date: AWSDate) {
          dashboard(date: $date) {
            date
            pointsEarned
            due { title dueDate priority pointValue }
            overdue { title dueDate }
            scheduled { title }
            goals { title cachedProgress }
            projects { name cachedHealth }
            wallet { balance }
          }
        }
    """,
)

GOALS = Tab(
    title="Goals",
    about="""
        Each percentage with its parts, their weights,
        and how much of each is done.
    """,
    query="""
        query Goals {
          goals {
            items {
              title
              status
              progress {
                percent
                parts { name weight value count total }
              }
              milestones { name percentage achieved }
              tasks(limit: 10) {
                items { title status pointValue }
              }
            }
          }
        }
    """,
)

QUICK_ADD = Tab(
    title="Quick add a task",
    about="""
        Plain words: days and times, every ..., p1 to
        p4, ~30m, #Area, @tag. The rest is the title.
    """,
    query="""
        mutation QuickAdd($input: QuickAddTaskInput!) {
          quickAddTask(input: $input) {
            id
            title
            area
            priority
            dueAt
            pointValue
            recurrenceRule { rrule }
          }
        }
    """,
    variables={"input": {"text": "Call the landlord tomorrow at 5pm p2 ~15m #Home"}},
)

COMPLETE_A_TASK = Tab(
    title="Complete a task",
    about="""
        Pays its points once, updates its goals,
        unblocks the tasks that depend on it, and
        creates the next occurrence, in one
        transaction.
    """,
    query="""
        mutation CompleteATask($input: CompleteTaskInput!) {
          completeTask(input: $input) {
            title
            status
            pointValue
            nextTaskId
            goals { title cachedProgress }
          }
        }
    """,
    variables={"input": {"id": "demo-long-run"}},
)

TABS = (MY_DAY, GOALS, QUICK_ADD, COMPLETE_A_TASK)
