"""Ready tabs about metrics, habits and rewards."""

from app.web.graphiql.tab import NEW_ID, Tab

LOG_A_METRIC = Tab(
    title="Log a metric",
    about="""
        Creates one and logs a value. Reaching the
        target or getting better pays points.
    """,
    query="""
        mutation LogAMetric(
          $metric: CreateMetricInput!
          $log: LogMetricInput!
        ) {
          createMetric(input: $metric) {
            name
            unit
            targetValue
          }
          logMetric(input: $log) {
            date
            value
            metric {
              latestValue
              streak
              trend
            }
          }
        }
    """,
    variables={
        "metric": {
            "id": f"metric-{NEW_ID}",
            "idempotencyKey": f"metric-{NEW_ID}",
            "name": "Weight",
            "unit": "kg",
            "direction": "Lower",
            "targetValue": "70",
        },
        "log": {"metricId": f"metric-{NEW_ID}", "value": "72.5", "idempotencyKey": f"log-{NEW_ID}"},
    },
)

METRICS = Tab(
    title="Metrics and their insights",
    about="""
        Open chartUrl in another window. Anyone with
        the address can see the chart for a day.
    """,
    query="""
        query Metrics {
          metrics(limit: 3) {
            items {
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
        }
    """,
)

LOG_A_HABIT = Tab(
    title="Log a habit",
    about="""
        Creates one and logs it for today, in your
        time zone. Logging again replaces it; SKIP
        does not break the streak.
    """,
    query="""
        mutation LogAHabit(
          $habit: CreateHabitInput!
          $log: LogHabitInput!
        ) {
          createHabit(input: $habit) {
            name
            frequency
          }
          logHabit(input: $log) {
            date
            kind
            habit {
              streak
              longestStreak
              strength
              chartUrl
            }
          }
        }
    """,
    variables={
        "habit": {
            "id": f"habit-{NEW_ID}",
            "idempotencyKey": f"habit-{NEW_ID}",
            "name": "Read for half an hour",
            "frequency": "Daily",
        },
        "log": {"habitId": f"habit-{NEW_ID}", "kind": "DONE"},
    },
)

SET_A_REWARD = Tab(
    title="Set a reward",
    about="""
        Something to look forward to: redeemReward
        takes its cost from your points.
    """,
    query="""
        mutation SetAReward($input: CreateRewardInput!) {
          createReward(input: $input) {
            id
            title
            pointCost
          }
        }
    """,
    variables={
        "input": {
            "idempotencyKey": f"reward-{NEW_ID}",
            "title": "An evening at the cinema",
            "pointCost": 200,
        }
    },
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

TABS = (LOG_A_HABIT, LOG_A_METRIC, METRICS, SET_A_REWARD, POINTS_AND_REWARDS)
