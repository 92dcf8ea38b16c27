import { fullLanguage, strictLanguage } from '../operators/language';
import { noOperatorHint, unknownOperatorHint } from './operator-hint';

it.each([
  ['==', ['certname', 'a'], "Did you mean '='? Operators are = "],
  ['=~', ['certname', 'a'], "Did you mean '~'? "],
  ['like', ['certname', 'a'], "Did you mean '~'? "],
  ['ilike', ['certname', 'a'], "Did you mean '~*'? "],
  ['adn', [[], []], "Did you mean 'and'? "],
  ['certname', ['=', 'web1'], 'The operator comes first: ["=","certname","web1"].'],
  ['certname', ['IN', 'web1'], 'The operator comes first: ["IN","certname","web1"].'],
  ['is null', ['deactivated'], "Did you mean 'null?'? "],
  ['certname', ['web1'], 'A condition begins with its operator: ["=","certname","web1"].'],
  ['something', [], 'Operators are = != '],
])('%j with %j', (operator, operands, hint) => {
  expect(unknownOperatorHint(operator, operands, fullLanguage).startsWith(hint)).toBe(true);
});

it('does not name what the strict language lacks', () => {
  expect(unknownOperatorHint('ilike', ['certname', 'a'], strictLanguage)).not.toContain('~*');
});

it('says how conditions are joined', () => {
  expect(noOperatorHint([])).toContain('["and", condition');
  expect(noOperatorHint(null)).toContain('begins with its operator');
});
