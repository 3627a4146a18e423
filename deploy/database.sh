#!/bin/bash
# Runs once, in an empty database: two roles that are no superusers, so that row security holds.
# `paige_owner` owns the tables and migrates; `paige_app` is who the servers work as.
set -euo pipefail

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --quiet \
    --set owner_password="$OWNER_PASSWORD" --set app_password="$APP_PASSWORD" <<'SQL'
CREATE ROLE paige_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE paige_app LOGIN PASSWORD :'app_password';
CREATE DATABASE paige OWNER paige_owner;
REVOKE CONNECT ON DATABASE paige FROM PUBLIC;
GRANT CONNECT ON DATABASE paige TO paige_app;
\connect paige
CREATE EXTENSION IF NOT EXISTS vector;
ALTER SCHEMA public OWNER TO paige_owner;
SQL
