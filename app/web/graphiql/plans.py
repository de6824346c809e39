"""Ready tabs about values and plans."""

from app.web.graphiql.tab import Tab

MY_VALUES = Tab(
    title="My values",
    about="""
        Drivers, milestones and actions at the head,
        the last commits, and a branch.
    """,
    query="""
        query MyValues {
          valuesTree {
            revision {
              id
              message
            }
            roots {
              title
              children {
                title
                completedAt
                children {
                  title
                  completedAt
                }
              }
            }
            chartUrl
          }
          valuesHistory(limit: 5) {
            items {
              id
              message
              source
              createdAt
            }
          }
          valuesBranches {
            name
            revision {
              message
            }
          }
        }
    """,
)

COMMIT_VALUES = Tab(
    title="Commit values",
    about="""
        All operations apply, or none. With
        expectedHead the commit is refused if another
        one came first.
    """,
    query="""
        mutation CommitValues($input: CommitValuesInput!) {
          commitValues(input: $input) {
            head
            revision {
              id
              parentIds
            }
            conflicts {
              nodeId
              field
              ours
              theirs
            }
            roots {
              title
              children {
                title
              }
            }
          }
        }
    """,
    variables={
        "input": {
            "message": "Read more",
            "merge": True,
            "operations": [
                {"add": {"nodeType": "ACTION", "title": "Read an hour", "driverId": "craft"}},
                {"update": {"id": "bench", "notes": "Beech, two metres."}},
            ],
        }
    },
)

DO_SOMETHING = Tab(
    title="Complete an action",
    about="""
        Marks it in your values and in today's plan,
        in one transaction.
    """,
    query="""
        mutation CompleteAnAction($input: CompleteActionInput!) {
          completeAction(input: $input) {
            action {
              title
              completedAt
            }
            values {
              id
              message
            }
            plan {
              date
              revision {
                reason
              }
              todos {
                completedAt
                action {
                  title
                }
              }
              warnings
            }
          }
        }
    """,
    variables={"input": {"actionId": "call-mum"}},
)

TABS = (MY_VALUES, COMMIT_VALUES, DO_SOMETHING)
