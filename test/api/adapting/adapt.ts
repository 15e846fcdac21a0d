import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What becomes of a field: it has another name, another schema, or is missing. */
export type Change = 'missing' | { name: string } | { schema: string };

/** What differs in the fields of a declaration. */
export type FieldChanges = [file: string, declaration: string, changes: Record<string, Change>];

const changed = (schema: string, change: Change): string => {
  if (change === 'missing') return `wire.missing(${schema})`;
  return 'name' in change ? `wire.renamed('${change.name}', ${schema})` : change.schema;
};

/** Changes fields in a copy of the project. Each is one line of the declaration. */
export const changeFields = (copy: string, [file, declaration, changes]: FieldChanges): void => {
  const lines = readFileSync(join(copy, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(declaration));
  for (const [field, change] of Object.entries(changes)) {
    const at = lines.findIndex((line, index) => index > start && new RegExp(`^ +${field}: .+,$`).test(line));
    const [, indent, schema] = /^( +)\w+: (.+),$/.exec(lines[at] ?? '') ?? [];
    if (start < 0 || schema === undefined) throw new Error(`${file} declares no ${field} after ${declaration}.`);
    lines[at] = `${indent}${field}: ${changed(schema, change)},`;
  }
  writeFileSync(join(copy, file), lines.join('\n'));
};
