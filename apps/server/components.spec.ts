import { isPart, readComponents } from './components';

test.each([
  [[], ['write', 'project', 'read'], []],
  [
    ['--port', '9090'],
    ['write', 'project', 'read'],
    ['--port', '9090'],
  ],
  [['--components', 'read', '--port', '9090'], ['read'], ['--port', '9090']],
  [['--port=1', '--components=write, project'], ['write', 'project'], ['--port=1']],
])('%j', (flags, components, others) => {
  const read = readComponents(flags);
  expect([[...read.components], read.flags]).toEqual([components, others]);
  expect(isPart(read.components)).toBe(components.length < 3);
});

test.each([[['--components']], [['--components', 'reads']], [['--components=']], [['--components', 'read,']]])(
  '%j is refused',
  (flags) => expect(() => readComponents(flags)).toThrow(/expected some of write, project, read/),
);
