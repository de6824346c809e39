"""GraphiQL at /graphql: a page, its files from node_modules, and tabs that are ready to run."""

from app.web.graphiql.page import CONTENT_SECURITY_POLICY, Asset, GraphiQL, PageConfig
from app.web.graphiql.tab import Tab
from app.web.graphiql.tabs import TABS

__all__ = ["CONTENT_SECURITY_POLICY", "TABS", "Asset", "GraphiQL", "PageConfig", "Tab"]
