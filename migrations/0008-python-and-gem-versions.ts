import type { MigrationInterface, QueryRunner } from 'typeorm';
import { versionKey } from './0007-version-keys';

// version_key by the rules of 0007, and closer to the tools for two of them:
//   python: what follows + is a local version (`1.0` < `1.0+dev` < `1.0.post1`), 1.0-1 and 1.0-r1 are 1.0.post1, and v may precede
//     an epoch. In keys, # precedes a local version, A begins a word in it, and N a number.
//   gem: zeros do not count before the first word, nor at the end. Another zero before a word is greater than a word, but less than
//     the end, because it is compared with a zero there, and the word with nothing: `1.a.b` < `1.a.0.b` < `1.a`. In keys it is !~.
const up = `
CREATE OR REPLACE FUNCTION nodeledger.version_key(version text, rule text, with_epoch boolean) RETURNS bytea
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
      SELECT string_agg(regexp_replace(translate(m.part[1], '~', E'\\x01'), '[^A-Za-z\\x01]', '~\\&', 'g')
          || '"' || nodeledger.version_number(m.part[2]) || CASE m.part[3] WHEN '' THEN '' ELSE '"0' END, '' ORDER BY m.place)
        INTO key
        FROM regexp_matches(rest || E'\\x02' || tail, '([^0-9\\x02]*)([0-9]*)(\\x02?)', 'g') WITH ORDINALITY m (part, place);
      RETURN convert_to(epoch || key, 'UTF8');
    WHEN 'rpm' THEN
      rest := regexp_replace(rest, '-([^-]*)$', E'\\x02\\\\1');
    WHEN 'semver' THEN
      rest := regexp_replace(rest, '[+].*$', '');
      tail := substring(rest FROM '-(.*)$');
      rest := regexp_replace(rest, '^[v=[:space:]]+|-.*$', '', 'g');
    WHEN 'gem' THEN
      rest := replace(rest, '-', '.pre.');
    WHEN 'python' THEN
      tail := substring(rest FROM '[+](.*)$');
      rest := regexp_replace(rest, '[+].*$', '');
      rest := regexp_replace(rest, '([0-9])-([0-9])', '\\1post\\2');
      rest := regexp_replace(rest, '(?<![a-z])(r|rev)(?![a-z])', 'post');
    ELSE
      rest := regexp_replace(lower(rest COLLATE "C"), '^v(?=[0-9])', '');
  END CASE;
  SELECT string_agg(CASE
      WHEN m.token[1] < ':' COLLATE "C" AND m.token[1] > '/' COLLATE "C" THEN 'n' || nodeledger.version_number(m.token[1])
      WHEN m.token[1] = '~' THEN ' '
      WHEN m.token[1] = '^' THEN '#'
      WHEN m.token[1] = E'\\x02' THEN '"'
      ELSE nodeledger.version_word(m.token[1], rule) END, '' ORDER BY m.place)
    INTO key
    FROM regexp_matches(rest, '[0-9]+|[A-Za-z]+|[~^\\x02]', 'g') WITH ORDINALITY m (token, place);
  key := coalesce(key, '');
  IF rule = 'gem' THEN
    key := regexp_replace(regexp_replace(key, '^([^!]*?)(n0)+!', '\\1!'), '(n0)+$', '');
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
`;

/** Keys for all versions of Python packages and gems. */
export class PythonAndGemVersions0008 implements MigrationInterface {
  readonly name = 'PythonAndGemVersions0000000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(versionKey);
  }
}
