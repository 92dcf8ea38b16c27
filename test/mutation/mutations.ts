/** Finds small changes of a TypeScript source. A test should notice each of them. */
import ts from 'typescript';

export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The change, for people: `< becomes <=`. */
  readonly what: string;
  /** The line of the source, counted from 1, and its text without indentation. */
  readonly line: number;
  readonly lineText: string;
}

const { SyntaxKind } = ts;

const otherOperator = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.PlusEqualsToken, '-='],
  [SyntaxKind.MinusEqualsToken, '+='],
  [SyntaxKind.BarBarEqualsToken, '&&='],
  [SyntaxKind.QuestionQuestionEqualsToken, '='],
]);

const otherMethod = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['some', 'every'],
  ['every', 'some'],
]);

const isText = (node: ts.Node): boolean => ts.isStringLiteral(node) || ts.isTemplateLiteral(node);

/** Types, imports and texts of errors, which tests of behavior do not check. */
const isPassedOver = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isNewExpression(node) && /(Fault|Error)$/.test(node.expression.getText()));

/** Numbers outside of functions, which are sizes and pauses that were chosen by measurement. */
function isInFunction(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) if (ts.isFunctionLike(at)) return true;
  return false;
}

/** A call or an assignment whose value is not used. */
const isEffect = (node: ts.Expression): boolean =>
  ts.isAwaitExpression(node)
    ? isEffect(node.expression)
    : ts.isCallExpression(node)
      ? node.expression.kind !== SyntaxKind.SuperKeyword
      : ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken;

/** Returns all mutations of a source, in its order. */
export function mutationsOf(path: string, text: string): Mutation[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found: Mutation[] = [];

  const change = (node: ts.Node, replacement: string, what: string): void => {
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    found.push({
      ...{ start, end: node.getEnd(), replacement, what },
      ...{ line: line + 1, lineText: (lines[line] ?? '').trim() },
    });
  };

  const visit = (node: ts.Node): void => {
    if (isPassedOver(node)) return;
    if (ts.isBinaryExpression(node)) {
      const { operatorToken, left, right } = node;
      const other = otherOperator.get(operatorToken.kind);
      if (other !== undefined && !isText(left) && !isText(right))
        change(operatorToken, other, `${operatorToken.getText(source)} becomes ${other}`);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      change(node, node.operand.getText(source), 'the negation goes');
    } else if (ts.isConditionalExpression(node)) {
      const { condition, whenTrue, whenFalse } = node;
      const parts = [condition, whenFalse, whenTrue].map((part) => part.getText(source));
      change(node, `${parts[0]} ? (${parts[1]}) : (${parts[2]})`, 'the two sides of ?: change places');
    } else if (ts.isExpressionStatement(node) && isEffect(node.expression)) {
      const first = node.getText(source).split('\n')[0] ?? '';
      change(node, ';', `this goes: ${first}`);
    } else if (ts.isIfStatement(node) && node.elseStatement === undefined) {
      change(node.expression, 'false', 'the condition never holds');
    } else if (ts.isNumericLiteral(node) && isInFunction(node)) {
      const other = String(Number(node.text) + 1);
      change(node, other, `${node.text} becomes ${other}`);
    } else if (node.kind === SyntaxKind.TrueKeyword) {
      change(node, 'false', 'true becomes false');
    } else if (node.kind === SyntaxKind.FalseKeyword) {
      change(node, 'true', 'false becomes true');
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name } = node.expression;
      const other = otherMethod.get(name.text);
      if (other !== undefined) change(name, other, `${name.text} becomes ${other}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export const mutated = (text: string, { start, end, replacement }: Mutation): string =>
  text.slice(0, start) + replacement + text.slice(end);
