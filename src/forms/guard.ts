/**
 * What every step checks first: that its input has no API token, which a result or a log could show, and who calls it.
 */
import { type Bundle, defineInputField, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { readText } from '../formats/text';
import { cleanToken, minTokenLength, tokenPattern } from '../http/connection';
import { halt } from '../platform/errors';
import { labelOfAdded } from './campaign-form';
import { ordered } from './input';
import { variableMeta } from './variables';

/** What an account lets such calls do. Each word allows what those before it allow. */
const permissions = ['read', 'message', 'everything'] as const;
type Permission = (typeof permissions)[number];

const choices: Record<Permission, string> = {
  read: 'Only look things up',
  message: 'Also message one person and edit contacts',
  everything: 'Everything, also campaigns, deleting and Call the API',
};

export const agentsField = defineInputField({
  key: 'ai_agents',
  label: 'AI Agents May',
  required: false,
  default: 'message',
  choices: ordered(...permissions.map((each) => [each, choices[each]] as const)),
  helpText:
    "Choose what AI agents may do with this account. Zapier's MCP server lets an agent use every action by itself. Zaps aren't limited by this.",
});

type Input = Bundle['inputData'];

const isChosen = (value: unknown, ...names: string[]): boolean => names.includes(readText(value)?.toLowerCase() ?? '');

/** What each action needs, by its key and input. One that is missing here needs everything. */
const needed: Record<string, (input: Input) => Permission> = {
  send_message: () => 'message',
  send_message_and_wait: () => 'message',
  start_campaign: ({ audience }) => (isChosen(audience, 'one', 'one recipient') ? 'message' : 'everything'),
  create_contact: () => 'message',
  create_or_update_contact: () => 'message',
  update_contact: () => 'message',
  call_api: ({ method }) => (isChosen(method, 'get') ? 'read' : 'everything'),
};

/** Returns what the account allows: by default, messages to one person, and nothing but reading for an unknown word. */
const permissionOf = (account: Bundle['authData']): Permission => {
  const text = readText(account?.[agentsField.key]) ?? 'message';
  return permissions.find((each) => each === text) ?? 'read';
};

/**
 * Throws an error when nobody filled in the form of an action, and the account doesn't let AI agents do what it does.
 * Zapier gives a step `inputDataRaw` only if there is a form.
 */
const refuseAgent = (key: string, { authData, inputData, inputDataRaw }: Bundle): void => {
  if (inputDataRaw) return;
  const need = needed[key]?.(inputData) ?? 'everything';
  const allowed = permissionOf(authData);
  if (permissions.indexOf(need) <= permissions.indexOf(allowed)) return;
  throw halt(
    `${agentsField.label}: the account doesn't let AI agents do this, so nothing was done. A person can allow it: in Zapier, edit the account under App Connections, and choose "${choices[need]}".`,
  );
};

type Perform = (z: ZObject, bundle: Bundle) => unknown;

/** The functions of a step that read its input. Turning off a Zap reads none. */
const readers = ['perform', 'performList', 'performSubscribe', 'performResume'] as const;

type Operation = { [K in (typeof readers)[number]]?: unknown } & { inputFields?: (PlainInputField | Perform)[] };
type Steps = Record<string, { operation: Operation }>;

interface App {
  authentication: { fields?: PlainInputField[]; test: unknown };
  triggers: Steps;
  creates: Steps;
  searches: Steps;
}

interface Forms {
  account: readonly PlainInputField[];
  step: readonly PlainInputField[];
}

/** Whether a value contains the token, at any depth, as part of a name or value. */
const hasToken = (value: unknown, token: RegExp): boolean => {
  const parts = [value];
  // The loop also visits what it adds.
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) {
      if (token.test(String(part))) return true;
    } else {
      for (const [name, item] of Object.entries(part)) parts.push(name, item);
    }
  }
  return false;
};

const labelOf = (key: string, fields: readonly PlainInputField[], { meta }: Bundle): string =>
  fields.find((field) => field.key === key)?.label ??
  variableMeta.safeParse(meta?.inputFields?.[key]).data?.label ??
  labelOfAdded(key);

const tokenFound = (label: string, place: 'account' | 'step'): Error =>
  halt(
    `${label}: this contains your API token, so the step stopped. Remove it from the ${place}, because the token belongs only in API Token of the account, which Zapier hides.`,
  );

/** Throws an error that names the field when the account or the input has the token where it doesn't belong. */
const checkInput = (bundle: Bundle, { account, step }: Forms): void => {
  // Zapier's test tools leave out what a step doesn't need.
  const token = cleanToken(bundle.authData?.api_token);
  if (token.length < minTokenLength) return;
  const pattern = tokenPattern(token);
  const findKey = (data: object): string | undefined =>
    Object.entries(data).find(([key, value]) => key !== 'api_token' && hasToken(value, pattern))?.[0];
  const accountKey = findKey({ ...bundle.authData });
  if (accountKey) throw tokenFound(labelOf(accountKey, account, bundle), 'account');
  const stepKey = findKey({ ...bundle.inputData });
  if (stepKey) throw tokenFound(labelOf(stepKey, step, bundle), 'step');
};

const isPerform = (part: unknown): part is Perform => typeof part === 'function';

/** Returns a new function with the check first. Core tells functions by identity, so no two steps may share one. */
const guard =
  (perform: Perform, forms: Forms): Perform =>
  async (z, bundle) => {
    checkInput(bundle, forms);
    return perform(z, bundle);
  };

const guardChoices = (field: PlainInputField, forms: Forms): PlainInputField => {
  const { choices } = field;
  const perform = choices && 'perform' in choices ? choices.perform : undefined;
  return isPerform(perform) ? { ...field, choices: { perform: guard(perform, forms) } } : field;
};

const guardStep = (operation: Operation, account: Forms['account']): void => {
  const step = (operation.inputFields ?? []).filter((field) => typeof field !== 'function');
  const forms = { account, step };
  for (const name of readers) {
    const perform = operation[name];
    if (isPerform(perform)) operation[name] = guard(perform, forms);
  }
  operation.inputFields &&= operation.inputFields.map((field) =>
    isPerform(field) ? guard(field, forms) : guardChoices(field, forms),
  );
};

/** Returns a new function that asks first whether the account lets the caller do it. */
const guardCaller =
  (key: string, perform: Perform): Perform =>
  async (z, bundle) => {
    refuseAgent(key, bundle);
    return perform(z, bundle);
  };

/**
 * Makes every step, every form and the test of the account refuse input that contains the account's token, and every
 * action what the account doesn't let AI agents do.
 */
export const guardSteps = <A extends App>(app: A): A => {
  const { authentication, triggers, creates, searches } = app;
  const account = authentication.fields ?? [];
  for (const { operation } of [triggers, creates, searches].flatMap((steps) => Object.values(steps))) {
    guardStep(operation, account);
  }
  for (const [key, { operation }] of Object.entries(creates)) {
    const { perform } = operation;
    if (isPerform(perform)) operation.perform = guardCaller(key, perform);
  }
  if (isPerform(authentication.test)) authentication.test = guard(authentication.test, { account, step: [] });
  return app;
};
