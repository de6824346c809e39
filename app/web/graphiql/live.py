"""Ready tabs with subscriptions."""

from app.web.graphiql.tab import Tab

WATCH_MY_TASKS = Tab(
    title="Watch your tasks",
    about="""
        Press play to start and again to stop. Create
        or complete a task in another window: each
        change arrives here, with the fields that you
        select.
    """,
    query="""
        subscription WatchMyTasks {
          onTaskChanged {
            title
            status
            pointValue
            urgency
            goals {
              title
              cachedProgress
            }
          }
        }
    """,
)

TABS = (WATCH_MY_TASKS,)
