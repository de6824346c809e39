"""Ready tabs about characters and notifications."""

from app.web.graphiql.tab import Tab

MY_CHARACTERS = Tab(
    title="My characters",
    about="""
        How far each goal is, and when it will be
        reached at this pace.
    """,
    query="""
        query MyCharacters {
          characters {
            items {
              name
              hiscoresStatus
              goals {
                items {
                  id
                  targetAttribute
                  targetType
                  targetValue
                  achievedAt
                  latest {
                    progressValue
                    timestamp
                  }
                  forecast {
                    absolute
                    remaining
                    neededPerDay
                    pace
                    estimatedDate
                    onTrack
                  }
                }
              }
            }
          }
        }
    """,
)

SET_A_CHARACTER_GOAL = Tab(
    title="Set a goal for a character",
    about="""
        xp, level, score or rank of a skill or an
        activity. Messages go to your inbox, and to
        a channel if you have set and verified one.
    """,
    query="""
        mutation SetACharacterGoal($input: CreateCharacterGoalInput!) {
          createCharacterGoal(input: $input) {
            id
            characterName
            targetAttribute
            targetXp
            frequency
          }
        }
    """,
    variables={
        "input": {
            "characterName": "Dana of Hall",
            "targetAttribute": "Mining",
            "targetType": "level",
            "targetValue": 80,
            "frequency": "daily",
        }
    },
)

INBOX = Tab(
    title="Inbox",
    about="""
        Every message, and how it went on each of
        your channels.
    """,
    query="""
        query Inbox($unreadOnly: Boolean) {
          notifications(unreadOnly: $unreadOnly) {
            items {
              id
              kind
              title
              body
              readAt
              deliveries {
                channelType
                status
              }
            }
            nextToken
          }
        }
    """,
    variables={"unreadOnly": False},
)

TABS = (MY_CHARACTERS, SET_A_CHARACTER_GOAL, INBOX)
