"""Ready tabs of what comes by itself."""

from app.web.graphiql.tab import Tab

WATCH_MY_TASKS = Tab(
    title="Watch your tasks",
    about="""
        Press play: it waits, and the button stops it.
        Then make or finish a task in another window.
        Each change comes by itself, with whatever
        fields you ask for here.
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
