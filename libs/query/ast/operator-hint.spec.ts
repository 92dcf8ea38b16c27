import { noOperatorHint, unknownOperatorHint } from './operator-hint';

it.each([
  ['==', ['certname', 'a'], "Did you mean '='? Operators are = "],
  ['=~', ['certname', 'a'], "Did you mean '~'? "],
  ['like', ['certname', 'a'], "Did you mean '~'? "],
  ['adn', [[], []], "Did you mean 'and'? "],
  ['certname', ['=', 'web1'], 'The operator comes first: ["=","certname","web1"].'],
  ['certname', ['IN', 'web1'], 'The operator comes first: ["IN","certname","web1"].'],
  ['is null', ['deactivated'], "Did you mean 'null?'? "],
  ['certname', ['web1'], 'A condition begins with its operator: ["=","certname","web1"].'],
  ['something', [], 'Operators are = != '],
])('%j with %j', (operator, operands, hint) => {
  expect(unknownOperatorHint(operator, operands).startsWith(hint)).toBe(true);
});

it('says how conditions are joined', () => {
  expect(noOperatorHint([])).toContain('["and", condition');
  expect(noOperatorHint(null)).toContain('begins with its operator');
});
