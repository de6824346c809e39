"""The ready tabs about goals and tasks."""

from app.web.graphiql.tab import Tab

MY_DAY = Tab(
    title="My day",
    about="""
        Today in your time zone: what is due, late,
        planned and done, and what it was worth.
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
        Every percentage explains itself: its parts,
        their weights, what was done out of what.
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
        Pays its points once, moves its goals, frees
        the tasks that wait for it, and makes the next
        occurrence, all in one transaction.
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
