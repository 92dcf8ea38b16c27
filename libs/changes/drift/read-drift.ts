import { type AstJson, isList, isMap, key64, NumberText } from '#query';
import { changeItem, jsonObject } from '../diff/show-change';
import { valueChanges } from '../diff/value-changes';
import { parseAnswer, type RowReader } from '../reading/change-tables';
import type { DriftPart } from './drift-parts';
import type { DriftRequest } from './drift-request';
import { driftSql, groupsSql, settingsSql, volatileSql } from './drift-sql';

export async function readDrift(request: DriftRequest, reader: RowReader): Promise<AstJson> {
  const volatileFacts = list(parseAnswer((await reader.text(volatileSql)) ?? '[]')) as readonly string[];
  const keys = volatileFacts.map(key64);
  const all = map(parseAnswer((await reader.text(groupsSql(request))) ?? '{}'));
  await reader.text(settingsSql);
  const parts: (readonly [DriftPart, ReadonlyMap<string, AstJson>])[] = [];
  for (const part of request.parts)
    parts.push([part, map(parseAnswer((await reader.text(driftSql(part, request, keys))) ?? '{}'))]);
  const groups = list(all.get('groups')).map(map);
  return jsonObject({
    by: request.by.name,
    groups: groups.map((group, index) =>
      jsonObject({
        value: group.get('value'),
        nodes: group.get('nodes'),
        ...Object.fromEntries(
          parts.map(([part, found]) => [part.name, partJson(part, map(list(found.get('groups'))[index]))]),
        ),
      }),
    ),
    groups_left_out: all.get('groups_left_out'),
    left_out: jsonObject({
      volatile: volatileFacts,
      ...Object.fromEntries(
        parts.map(([part, found]) => [
          part.name,
          jsonObject({
            unique: list(found.get('unique')).map((item) => itemJson(part, item)),
            count: found.get('unique_count'),
          }),
        ]),
      ),
    }),
  });
}

const list = (value: AstJson | undefined): readonly AstJson[] => (isList(value) ? value : []);
const map = (value: AstJson | undefined): ReadonlyMap<string, AstJson> => (isMap(value) ? value : new Map());

const partJson = (part: DriftPart, found: ReadonlyMap<string, AstJson>): AstJson =>
  jsonObject({
    equal: found.get('equal') ?? new NumberText('0'),
    differing: list(found.get('items')).map((item) => driftItem(part, map(item))),
    left_out: found.get('items_left_out') ?? new NumberText('0'),
  });

const itemJson = (part: DriftPart, item: AstJson): AstJson => jsonObject(itemMembers(part, item));

function itemMembers({ name }: DriftPart, item: AstJson): Readonly<Record<string, AstJson>> {
  const [first, second] = list(item);
  switch (name) {
    case 'resources':
      return { type: first!, title: second! };
    case 'packages':
      return { name: first!, provider: second! };
    default:
      return { path: item };
  }
}

function driftItem(part: DriftPart, found: ReadonlyMap<string, AstJson>): AstJson {
  const has = found.get('has') === true;
  const most = found.get('value');
  const others = list(found.get('others')).map((other) => {
    const { value, ...nodes } = Object.fromEntries(map(other)) as Record<string, AstJson>;
    // For resources, shows only the differing parameters, because they are hard to find among all parameters.
    const changes = part.name === 'resources' && has ? valueChanges(most, value).map(changeItem) : undefined;
    return jsonObject({ value: changes === undefined ? value : undefined, changes, ...nodes });
  });
  const shownValues = Number((found.get('values') as NumberText).text);
  return jsonObject({
    ...itemMembers(part, found.get('item')!),
    value: has ? most : undefined,
    nodes: found.get('nodes'),
    others,
    others_left_out: new NumberText(String(shownValues - others.length)),
    missing: found.get('missing'),
  });
}
