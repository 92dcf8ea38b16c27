
CREATE SCHEMA IF NOT EXISTS nodeledger;

-- state: scratch tables are made and dropped by a verification or a snapshot. Tables of a point show an earlier position. The tables of
-- a dropped generation are being dropped, in several transactions.
-- shared_epoch changes with each removal of shared rows. A projector that remembers which shared rows are stored compares it.
CREATE TABLE nodeledger.generations (
  generation int PRIMARY KEY,
  schema_name text NOT NULL UNIQUE,
  projection_version int NOT NULL,
  state text NOT NULL CHECK (state IN ('building', 'live', 'retired', 'scratch', 'point', 'dropped')),
  created_at timestamptz NOT NULL DEFAULT now(),
  shared_epoch uuid NOT NULL DEFAULT gen_random_uuid()
);
CREATE UNIQUE INDEX one_live_generation ON nodeledger.generations ((true)) WHERE state = 'live';
-- A number is never used twice, so a process that still works on a dropped generation finds nothing.
CREATE SEQUENCE nodeledger.generation_numbers;

-- next_offset: the first record that this generation has not applied.
CREATE TABLE nodeledger.positions (
  generation int NOT NULL REFERENCES nodeledger.generations ON DELETE CASCADE,
  log_partition int NOT NULL,
  log_id uuid NOT NULL,
  next_offset bigint NOT NULL,
  PRIMARY KEY (generation, log_partition)
) WITH (fillfactor = 50);

-- A rejected command, with its payload. The key is its position in the log, so a replay that rejects it again adds no row. Applied (by a
-- retry) and purged letters stay as rows without payload, because otherwise a replay would bring them back.
-- last_offset: offset of the newest retry whose outcome is in the row; 0 if there is none.
CREATE TABLE nodeledger.dead_letters (
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  uuid uuid NOT NULL,
  command text NOT NULL,
  version int NOT NULL,
  certname text NOT NULL,
  received_at timestamptz NOT NULL,
  headers jsonb NOT NULL,
  encoding text NOT NULL,
  payload bytea NOT NULL,
  error text NOT NULL,
  exception text NOT NULL,
  attempts int NOT NULL,
  rejected_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'applied', 'purged')),
  last_offset bigint NOT NULL DEFAULT 0,
  last_rejected_at timestamptz NOT NULL DEFAULT now(),
  retried_at timestamptz,
  PRIMARY KEY (log_partition, log_offset)
);
-- Not compressed, so that a part of a payload is read without the parts before it.
ALTER TABLE nodeledger.dead_letters ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX ON nodeledger.dead_letters (uuid);
CREATE INDEX dead_letters_of_node ON nodeledger.dead_letters ("left"(certname, 200));
CREATE INDEX waiting_dead_letters ON nodeledger.dead_letters (last_rejected_at, log_partition, log_offset)
  WHERE state = 'waiting';

-- The embedded log. base: the number of the current base; 0 if there is none. Records before tail_offset are only in the base.
CREATE TABLE nodeledger.log_partitions (
  log_partition int PRIMARY KEY,
  log_id uuid NOT NULL,
  next_offset bigint NOT NULL,
  tail_offset bigint NOT NULL DEFAULT 1,
  base int NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- plain_bytes: the length of the original payload if the row stores it compressed; null if the payload is stored as it came.
CREATE TABLE nodeledger.log_records (
  log_partition int NOT NULL,
  log_offset bigint NOT NULL,
  uuid uuid NOT NULL,
  command text NOT NULL,
  version int NOT NULL,
  certname text NOT NULL,
  received_at bigint NOT NULL,
  encoding text NOT NULL,
  headers text NOT NULL,
  payload bytea NOT NULL,
  plain_bytes int,
  PRIMARY KEY (log_partition, log_offset)
);
ALTER TABLE nodeledger.log_records ALTER COLUMN payload SET STORAGE EXTERNAL;

-- Records of bases: of the current one, of one that is being prepared, and of those that are being deleted.
CREATE TABLE nodeledger.log_base_records (
  base int NOT NULL,
  LIKE nodeledger.log_records INCLUDING STORAGE,
  PRIMARY KEY (base, log_partition, log_offset)
);
CREATE SEQUENCE nodeledger.log_base_numbers AS int;

-- When each kind of maintenance ended last, so that a restart does not begin the interval again.
CREATE TABLE nodeledger.maintenance_runs (
  kind text PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now()
);

-- Bearer tokens. hash: SHA-256 of the token, which is not stored itself.
CREATE TABLE nodeledger.tokens (
  name text PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  roles text[] NOT NULL,
  created timestamptz NOT NULL DEFAULT now(),
  expires timestamptz,
  revoked timestamptz,
  last_used timestamptz
);

-- Actions of the role admin. outcome is null while the action runs.
CREATE TABLE nodeledger.audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  ended timestamptz,
  actor text NOT NULL,
  address text,
  action text NOT NULL,
  subject text,
  outcome text
);
CREATE INDEX audit_log_at ON nodeledger.audit_log (at);

CREATE FUNCTION nodeledger.version_number(digits text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN chr(48 + length(ltrim(digits, '0'))) || ltrim(digits, '0');

CREATE FUNCTION nodeledger.version_word(word text, rule text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE rule
  WHEN 'rpm' THEN 'a' || word || ' '
  WHEN 'semver' THEN 'a' || word || ' '
  WHEN 'gem' THEN '!' || word || ' '
  ELSE coalesce(CASE
      WHEN word IN ('dev', 'snapshot') THEN '!1'
      WHEN word = 'alpha' OR word = 'a' AND rule = 'python' THEN '!2'
      WHEN word = 'beta' OR word = 'b' AND rule = 'python' THEN '!3'
      WHEN word IN ('pre', 'preview', 'rc') OR word = 'c' AND rule = 'python' THEN '!4'
    END, 'a' || word || ' ') END;

CREATE FUNCTION nodeledger.version_key(version text, rule text, with_epoch boolean) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
DECLARE
  epoch text := '';
  rest text := version;
  tail text;
  key text;
BEGIN
  IF length(version) > 256 OR version !~ '[0-9]' THEN
    RETURN NULL;
  END IF;
  IF rule = 'python' THEN
    rest := regexp_replace(lower(rest COLLATE "C"), '^v', '');
  END IF;
  IF rule IN ('deb', 'rpm', 'python') THEN
    IF rest ~ '^[0-9]+[:!]' THEN
      epoch := substring(rest FROM '^[0-9]+');
      rest := substr(rest, length(epoch) + 2);
    END IF;
    epoch := CASE WHEN with_epoch THEN nodeledger.version_number(epoch) ELSE '' END;
  END IF;
  CASE rule
    WHEN 'deb' THEN
      tail := coalesce(nullif(substring(rest FROM '-([^-]*)$'), ''), '0');
      rest := coalesce(nullif(regexp_replace(rest, '-[^-]*$', ''), ''), '0');
      SELECT string_agg(regexp_replace(translate(m.part[1], '~', E'\x01'), '[^A-Za-z\x01]', '~\&', 'g')
          || '"' || nodeledger.version_number(m.part[2]) || CASE m.part[3] WHEN '' THEN '' ELSE '"0' END, '' ORDER BY m.place)
        INTO key
        FROM regexp_matches(rest || E'\x02' || tail, '([^0-9\x02]*)([0-9]*)(\x02?)', 'g') WITH ORDINALITY m (part, place);
      RETURN convert_to(epoch || key, 'UTF8');
    WHEN 'rpm' THEN
      rest := regexp_replace(rest, '-([^-]*)$', E'\x02\\1');
    WHEN 'semver' THEN
      rest := regexp_replace(rest, '[+].*$', '');
      tail := substring(rest FROM '-(.*)$');
      rest := regexp_replace(rest, '^[v=[:space:]]+|-.*$', '', 'g');
    WHEN 'gem' THEN
      rest := replace(rest, '-', '.pre.');
    WHEN 'python' THEN
      tail := substring(rest FROM '[+](.*)$');
      rest := regexp_replace(rest, '[+].*$', '');
      rest := regexp_replace(rest, '([0-9])-([0-9])', '\1post\2');
      rest := regexp_replace(rest, '(?<![a-z])(r|rev)(?![a-z])', 'post');
    ELSE
      rest := regexp_replace(lower(rest COLLATE "C"), '^v(?=[0-9])', '');
  END CASE;
  SELECT string_agg(CASE
      WHEN m.token[1] < ':' COLLATE "C" AND m.token[1] > '/' COLLATE "C" THEN 'n' || nodeledger.version_number(m.token[1])
      WHEN m.token[1] = '~' THEN ' '
      WHEN m.token[1] = '^' THEN '#'
      WHEN m.token[1] = E'\x02' THEN '"'
      ELSE nodeledger.version_word(m.token[1], rule) END, '' ORDER BY m.place)
    INTO key
    FROM regexp_matches(rest, '[0-9]+|[A-Za-z]+|[~^\x02]', 'g') WITH ORDINALITY m (token, place);
  key := coalesce(key, '');
  IF rule = 'gem' THEN
    key := regexp_replace(regexp_replace(key, '^([^!]*?)(n0)+!', '\1!'), '(n0)+$', '');
    key := regexp_replace(key, 'n0(?=(n0)*!)', '!~', 'g');
  ELSIF rule <> 'rpm' THEN
    key := regexp_replace(key, '(n0)+(?!n)', '', 'g');
  END IF;
  IF tail IS NOT NULL THEN
    SELECT key || CASE rule WHEN 'python' THEN '#' ELSE '!' END || string_agg(CASE
        WHEN i.one ~ '^[0-9]+$' THEN 'N' || nodeledger.version_number(i.one)
        WHEN rule = 'python' THEN 'A' || i.one || ' '
        ELSE 'W' || i.one || ' ' END, '' ORDER BY i.place)
      INTO key
      FROM regexp_split_to_table(tail, CASE rule WHEN 'python' THEN '[-_.]' ELSE '[.]' END) WITH ORDINALITY i (one, place);
  END IF;
  RETURN convert_to(epoch || key || '"', 'UTF8');
END
$$;

CREATE TABLE nodeledger.migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
