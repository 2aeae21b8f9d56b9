import type { Node } from 'web-tree-sitter';
import { nameFrom } from '../../domain/chunks/outline.ts';

export interface Symbol {
  readonly name: string;
  /** The named node below exports, decorators and the like. */
  readonly definition: Node;
}

/** Undefined when a reader would not look for it; inside a function, that includes variables. */
export function symbolOf(node: Node, isInFunction: boolean): Symbol | undefined {
  const { type } = node;
  if (WRAPPERS.has(type)) return wrappedSymbol(node, isInFunction);
  const name = OWN_RULES[type]?.(node, isInFunction) ?? (isDefinition(type) ? definedName(node) : undefined);
  return name === undefined || name === '' ? undefined : { name: nameFrom(name), definition: node };
}

export function isFunction(type: string): boolean {
  return /function|method|lambda|arrow|closure|constructor/.test(type) && !/type|signature|list/.test(type);
}

const WRAPPERS = new Set([
  'ambient_declaration',
  'const_declaration',
  'declaration',
  'decorated_definition',
  'export_statement',
  'expression_statement',
  'lexical_declaration',
  'template_declaration',
  'type_declaration',
  'var_declaration',
  'variable_declaration',
]);

function wrappedSymbol(node: Node, isInFunction: boolean): Symbol | undefined {
  const inner = node.childForFieldName('declaration') ?? node.childForFieldName('definition');
  const candidates = inner ? [inner] : node.namedChildren;
  for (const child of candidates) {
    const symbol = symbolOf(child, isInFunction);
    if (symbol) return symbol;
  }
  return node.type === 'declaration' && !isInFunction ? named(declaredName(node), node) : undefined;
}

function named(name: string | undefined, definition: Node): Symbol | undefined {
  return name ? { name: nameFrom(name), definition } : undefined;
}

const DEFINITION =
  /class|constructor|delegate|enum|extension|function|impl_item|interface|internal_module|macro|method|mod_item|module|namespace|object|record|struct|trait|type_alias|type_item|type_spec|union|const_item|static_item|property_declaration|property_definition/;
const NO_DEFINITION =
  /argument|block|body|call|clause|expression$|import|invocation|list|literal|modifier|parameter|path|pattern|signature|specifiers|statement|^use_/;

function isDefinition(type: string): boolean {
  return DEFINITION.test(type) && !NO_DEFINITION.test(type);
}

function definedName(node: Node): string | undefined {
  return node.childForFieldName('name')?.text ?? declaredName(node);
}

/** In C and C++ the name is inside pointers, arrays and parameters. */
function declaredName(node: Node): string | undefined {
  let inner = node.childForFieldName('declarator');
  for (let next = inner; next; next = next.childForFieldName('declarator')) inner = next;
  return inner?.text;
}

type Rule = (node: Node, isInFunction: boolean) => string | undefined;

const OWN_RULES: Readonly<Partial<Record<string, Rule>>> = {
  assignment: assignedName,
  assignment_expression: assignedName,
  call: testTitle,
  call_expression: testTitle,
  companion_object: (node) => node.childForFieldName('name')?.text ?? 'companion',
  const_spec: variableName,
  element: htmlName,
  function_call: testTitle,
  impl_item: (node) => node.childForFieldName('type')?.text,
  keyframes_statement: cssName,
  media_statement: cssName,
  method_declaration: methodName,
  pair: (node) => (isFunctionValue(node, 'value') ? node.childForFieldName('key')?.text : undefined),
  rule_set: cssName,
  script_element: () => 'script',
  style_element: () => 'style',
  supports_statement: cssName,
  val_definition: variableName,
  var_spec: variableName,
  variable_declarator: variableName,
};

function variableName(node: Node, isInFunction: boolean): string | undefined {
  if (isInFunction && !isFunctionValue(node, 'value')) return undefined;
  const isImport = node.childForFieldName('value')?.childForFieldName('function')?.text === 'require';
  return isImport
    ? undefined
    : simpleName(node.childForFieldName('name') ?? node.childForFieldName('pattern'));
}

function assignedName(node: Node, isInFunction: boolean): string | undefined {
  if (isInFunction && !isFunctionValue(node, 'right')) return undefined;
  return simpleName(node.childForFieldName('left'));
}

/** A declaration that is destructured into several variables has no name of its own. */
function simpleName(node: Node | null): string | undefined {
  return node && !/pattern|list|tuple/.test(node.type) ? node.text : undefined;
}

const TESTS = /^(?:context|describe|it|suite|test)(?:\.(?:only|skip))?$/;

/** A test has a title in place of a name. */
function testTitle(node: Node): string | undefined {
  const called = ['function', 'method', 'name'].map((field) => node.childForFieldName(field)).find(Boolean);
  if (!called || !TESTS.test(called.text)) return undefined;
  const title = node.childForFieldName('arguments')?.namedChild(0);
  return title && /string/.test(title.type) ? title.text.slice(1, -1) : undefined;
}

function isFunctionValue(node: Node, field: string): boolean {
  const type = node.childForFieldName(field)?.type ?? '';
  return isFunction(type) || type === 'class';
}

/** Longer ones are no code that anybody wrote. */
const LONGEST_RECEIVER = 300;

/** In Go a method names its receiver. */
function methodName(node: Node): string | undefined {
  const name = node.childForFieldName('name')?.text;
  const written = node.childForFieldName('receiver')?.text.slice(-LONGEST_RECEIVER) ?? '';
  const receiver = /(\w+)(?:\[[^\]]*\])?\s*\)$/.exec(written)?.[1];
  return receiver ? `${receiver}.${name}` : name;
}

/** Selectors, or the rule with its conditions. */
function cssName({ text }: Node): string | undefined {
  const end = text.indexOf('{');
  return end < 0 ? undefined : text.slice(0, end);
}

function htmlName(node: Node): string | undefined {
  const start = node.namedChild(0)?.text ?? '';
  const id = /\sid\s*=\s*["']?([^\s"'>]+)/.exec(start.slice(0, 1000))?.[1];
  return id && `#${id}`;
}
