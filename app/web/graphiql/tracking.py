"""Ready tabs about metrics, habits and rewards."""

from app.web.graphiql.tab import Tab

A_METRIC = Tab(
    title="A metric and its insights",
    about="""
        Open chartUrl in another window. Anyone with
        the address can see the chart for a day.
    """,
    query="""
        query AMetric($id: ID!) {
          metric(id: $id) {
            name
            latestValue
            targetValue
            unit
            streak
            trend
            chartUrl
            logs(newestFirst: true, limit: 5) {
              items {
                date
                value
              }
            }
            milestones {
              items {
                type
                value
                pointsAwarded
              }
            }
            insights {
              items {
                type
                summary
                confidence
              }
            }
          }
        }
    """,
    variables={"id": "demo-weight"},
)

LOG_A_HABIT = Tab(
    title="Log a habit",
    about="""
        For today, in your time zone. Logging again
        replaces it; SKIP does not break the streak.
    """,
    query="""
        mutation LogAHabit($input: LogHabitInput!) {
          logHabit(input: $input) {
            date
            kind
            habit {
              name
              streak
              longestStreak
              strength
              chartUrl
            }
          }
        }
    """,
    variables={"input": {"habitId": "demo-reading", "kind": "DONE"}},
)

POINTS_AND_REWARDS = Tab(
    title="Points and rewards",
    about="""
        Your points, where they came from, and the
        rewards: redeemReward takes one of the ids.
    """,
    query="""
        query PointsAndRewards {
          wallet {
            balance
            lifetimeEarned
            lifetimeSpent
            freezes
            transactions(limit: 5) {
              items {
                amount
                reason
              }
            }
          }
          rewards(status: Active) {
            items {
              id
              title
              pointCost
              nextAvailableAt
            }
          }
        }
    """,
)

TABS = (A_METRIC, LOG_A_HABIT, POINTS_AND_REWARDS)
