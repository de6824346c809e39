"""Ready tabs about characters and notifications."""

from app.web.graphiql.tab import NEW_ID, NEW_NAME, Tab

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
        Adds a character first. xp, level or rank of
        a skill, score or rank of an activity.
        Messages go to your inbox, and to a channel
        if you have set and verified one.
    """,
    query="""
        mutation SetACharacterGoal(
          $character: AddCharacterInput!
          $goal: CreateCharacterGoalInput!
        ) {
          addCharacter(input: $character) {
            name
          }
          createCharacterGoal(input: $goal) {
            id
            characterName
            targetAttribute
            targetXp
            frequency
          }
        }
    """,
    variables={
        "character": {"name": NEW_NAME, "idempotencyKey": f"character-{NEW_ID}"},
        "goal": {
            "characterName": NEW_NAME,
            "idempotencyKey": f"character-goal-{NEW_ID}",
            "targetAttribute": "Mining",
            "targetType": "level",
            "targetValue": 80,
            "frequency": "daily",
        },
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
          unreadNotificationCount
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

TABS = (SET_A_CHARACTER_GOAL, MY_CHARACTERS, INBOX)
