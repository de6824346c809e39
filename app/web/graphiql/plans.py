"""Ready tabs about values and plans."""

from app.web.graphiql.tab import NEW_ID, Tab

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
            "idempotencyKey": f"learn-{NEW_ID}",
            "operations": [
                {
                    "add": {
                        "id": f"learn-{NEW_ID}",
                        "nodeType": "DRIVER",
                        "title": "Learn",
                    }
                },
                {
                    "add": {
                        "nodeType": "ACTION",
                        "title": "Read an hour",
                        "driverId": f"learn-{NEW_ID}",
                    }
                },
            ],
        }
    },
)

DO_SOMETHING = Tab(
    title="Complete an action",
    about="""
        Adds one to your values, then marks it there
        and in today's plan, in one transaction.
    """,
    query="""
        mutation CompleteAnAction(
          $values: CommitValuesInput!
          $done: CompleteActionInput!
        ) {
          commitValues(input: $values) {
            head
          }
          completeAction(input: $done) {
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
    variables={
        "values": {
            "message": "Call Mum",
            "merge": True,
            "idempotencyKey": f"values-{NEW_ID}",
            "operations": [
                {
                    "add": {
                        "id": f"driver-{NEW_ID}",
                        "nodeType": "DRIVER",
                        "title": "Be there for my family",
                    }
                },
                {
                    "add": {
                        "id": f"action-{NEW_ID}",
                        "nodeType": "ACTION",
                        "title": "Call Mum",
                        "driverId": f"driver-{NEW_ID}",
                    }
                },
            ],
        },
        "done": {"actionId": f"action-{NEW_ID}", "idempotencyKey": f"done-{NEW_ID}"},
    },
)

TABS = (COMMIT_VALUES, DO_SOMETHING, MY_VALUES)
