import { edgeRows, factRows, packageRows, resourceRows } from './difference-rows';

test('shows a row for each value that differs', () => {
  expect(
    factRows([
      { change: 'changed', path: ['os', 'release', 'full'], old: '12.6', new: '12.7' },
      { change: 'removed', path: ['disks', 0], old: null },
    ]),
  ).toEqual([
    {
      name: 'os.release.full',
      page: ['facts', 'os.release.full'],
      fact: 'os.release.full',
      one: '12.6',
      other: '12.7',
    },
    { name: 'disks[0]', page: ['facts', 'disks[0]'], fact: 'disks[0]', one: null, other: undefined },
  ]);
});

test('shows a row for each member of a resource, and one for a resource or relation that one side lacks', () => {
  const file = { type: 'File', title: '/etc/motd' };
  const page = ['resources', 'File', '/etc/motd'];
  expect(
    resourceRows([
      { ...file, change: 'added', new: {} },
      {
        ...file,
        change: 'changed',
        changes: [
          { change: 'changed', path: ['parameters', 'mode'], old: '0600', new: '0644' },
          { change: 'removed', path: ['tags', 1], old: 'web' },
        ],
      },
    ]),
  ).toEqual([
    { name: 'File[/etc/motd]', page, one: undefined, other: 'present' },
    { name: 'File[/etc/motd] mode', page, one: '0600', other: '0644' },
    { name: 'File[/etc/motd] tags[1]', page, one: 'web', other: undefined },
  ]);
  const edge = { source_type: 'File', source_title: '/etc/motd', target_type: 'Class', target_title: 'Web' };
  expect(edgeRows([{ ...edge, change: 'removed', relationship: 'required-by' }])).toEqual([
    { name: 'File[/etc/motd] required-by Class[Web]', page, one: 'present', other: undefined },
  ]);
});

test('shows all versions of a package', () => {
  const kernel = { change: 'changed', name: 'kernel', provider: 'dnf', old: ['5.1', '5.2'], new: [] } as const;
  expect(packageRows([kernel])).toEqual([
    { name: 'kernel', page: ['packages', 'kernel'], one: '5.1, 5.2', other: undefined },
  ]);
});
