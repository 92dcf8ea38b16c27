// version_key returns bytes that sort in the order of the versions, by one of the rules in docs/operators.md. It
// returns null if the text has no digit or more than 256 characters.
//
// A key is a sequence of tokens. The first byte of a token is the kind of the token:
//   deb: byte 1 = ~, " = the end or a number, letters, ~x = any other character x
//   others: space = ~, ! = a word for something before the release, " = the end, # = ^, a = any other word, n = a number
//   semver, after the !: " = the end, N = a number, W = any other identifier
//   python: # = the local version, in which N = a number, and A = a word. The text after + is the local version
//     (`1.0` < `1.0+dev` < `1.0.post1`). 1.0-1 and 1.0-r1 equal 1.0.post1. A v can precede the epoch.
//   gem: zeros before the first word and zeros at the end are left out. Any other zero before a word is !~, which is
//     greater than a word and less than the end. If the other version has ended, RubyGems takes the zero for equal, and
//     takes the word for less than the end (`1.a.b` < `1.a.0.b` < `1.a`).
// Words and identifiers end with a space. A number begins with a character that encodes the count of its digits, and
// continues with these digits, without leading zeros. Byte 2 separates the two parts that deb and rpm compare one after
// the other.
export const versionKeys = `
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
