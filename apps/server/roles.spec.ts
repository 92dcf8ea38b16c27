import { isPart, readRoles } from './roles';

test.each([
  [[], ['write', 'project', 'read'], []],
  [
    ['--port', '9090'],
    ['write', 'project', 'read'],
    ['--port', '9090'],
  ],
  [['--roles', 'read', '--port', '9090'], ['read'], ['--port', '9090']],
  [['--port=1', '--roles=write, project'], ['write', 'project'], ['--port=1']],
])('%j', (flags, roles, others) => {
  const read = readRoles(flags);
  expect([[...read.roles], read.flags]).toEqual([roles, others]);
  expect(isPart(read.roles)).toBe(roles.length < 3);
});

test.each([[['--roles']], [['--roles', 'reads']], [['--roles=']], [['--roles', 'read,']]])('%j is refused', (flags) =>
  expect(() => readRoles(flags)).toThrow(/expected some of write, project, read/),
);
