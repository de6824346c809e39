"""Ready tabs about goals and tasks."""

from app.web.graphiql.tab import NEW_ID, Tab

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
        Creates one that recurs, then completes it:
        that pays its points once, updates its goals,
        unblocks the tasks that depend on it, and
        creates the next occurrence, in one
        transaction.
    """,
    query="""
        mutation CompleteATask(
          $task: CreateTaskInput!
          $done: CompleteTaskInput!
        ) {
          createTask(input: $task) {
            title
            pointValue
          }
          completeTask(input: $done) {
            status
            completedDate
            nextTaskId
          }
        }
    """,
    variables={
        "task": {
            "id": f"run-{NEW_ID}",
            "idempotencyKey": f"run-{NEW_ID}",
            "title": "Long run",
            "area": "Health",
            "priority": "P2",
            "isRecurring": True,
            "recurrenceRule": {"frequency": "WEEKLY"},
        },
        "done": {"id": f"run-{NEW_ID}", "idempotencyKey": f"run-done-{NEW_ID}"},
    },
)

PLAN_A_GOAL = Tab(
    title="Plan a goal",
    about="""
        A goal with a criterion, and a task that
        counts for it.
    """,
    query="""
        mutation PlanAGoal(
          $goal: CreateGoalInput!
          $task: CreateTaskInput!
        ) {
          createGoal(input: $goal) {
            id
            title
            successCriteria { text isCompleted }
          }
          createTask(input: $task) {
            title
            goals { title cachedProgress }
          }
        }
    """,
    variables={
        "goal": {
            "id": f"goal-{NEW_ID}",
            "idempotencyKey": f"goal-{NEW_ID}",
            "title": "Run the half marathon",
            "area": "Health",
            "successCriteria": [{"text": "21 km in one go"}],
        },
        "task": {
            "idempotencyKey": f"task-{NEW_ID}",
            "title": "Buy running shoes",
            "goalIds": [f"goal-{NEW_ID}"],
        },
    },
)

TABS = (QUICK_ADD, COMPLETE_A_TASK, MY_DAY, PLAN_A_GOAL, GOALS)
