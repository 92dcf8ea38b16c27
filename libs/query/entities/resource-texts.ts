import { type Fragment, sql } from '../sql/fragment';

const quoted = (text: Fragment): Fragment => sql`to_json(${text})::text`;

/** SQL for each field of a resource as JSON text. The SQL reads a row `rc` of `resource_contents`. */
export const resourceTexts = {
  resource: sql`'"' || rc.resource || '"'`,
  type: quoted(sql`rc.type`),
  title: quoted(sql`rc.title`),
  tags: sql`rc.tags_text`,
  exported: sql`CASE WHEN rc.exported THEN 'true' ELSE 'false' END`,
  file: sql`coalesce(${quoted(sql`rc.file`)}, 'null')`,
  line: sql`coalesce(rc.line::text, 'null')`,
  parameters: sql`rc.parameters_text`,
};
