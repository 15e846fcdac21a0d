/**
 * What every step checks first: that its input has no API token, which a result or a log could show, and who calls it.
 */
import {
  type Bundle,
  defineInputField,
  type InputField,
  type PlainInputField,
  type ZObject,
} from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { cleanToken, minTokenLength, tokenPattern } from '../call/connection';
import { labelOfAdded } from '../message/campaign';
import { variableMeta } from '../message/variables';
import { readText } from '../text/fold';
import { halt } from './errors';
import { formLabels, isBlank, ordered } from './input';
import { hiddenFieldsOf } from './register';
import { noteAccount } from './run';

/** What an account lets such calls do. Each word allows what those before it allow. */
const permissions = ['read', 'message', 'everything'] as const;
type Permission = (typeof permissions)[number];

const permissionLabels: Record<Permission, string> = {
  read: 'Only look things up',
  message: 'Look up, message one person, edit contacts',
  everything: 'Everything, including campaigns and deleting',
};

export const agentsField = defineInputField({
  key: 'ai_agents',
  label: 'What AI Agents May Do',
  required: false,
  default: 'message',
  choices: ordered(...permissions.map((each) => [each, permissionLabels[each]] as const)),
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
const refuseAgent = (key: string, { authData, inputData = {}, inputDataRaw }: Bundle): void => {
  if (inputDataRaw) return;
  const need = needed[key]?.(inputData) ?? 'everything';
  const allowed = permissionOf(authData);
  if (permissions.indexOf(need) <= permissions.indexOf(allowed)) return;
  throw halt(
    `${agentsField.label}: the account doesn't let AI agents do this, so nothing was done. A person can allow it: in Zapier, edit the account under App Connections, and choose "${permissionLabels[need]}".`,
  );
};

/** Throws an error when the input has a value that the form doesn't ask for, because the service wouldn't keep it. */
const refuseHidden = (key: string, { inputData = {} }: Bundle): void => {
  const field = hiddenFieldsOf(key).find((each) => !isBlank(inputData[each.key]));
  if (!field) return;
  throw halt(`${field.label}: the messaging service doesn't keep this, so nothing was changed. Leave it out.`);
};

type Steps = Readonly<Record<string, { operation: { inputFields?: InputField[] } }>>;

/** The forms that people fill in: of the account, and of each step. */
interface App {
  authentication: { fields?: PlainInputField[] };
  triggers: Steps;
  creates: Steps;
  searches: Steps;
}

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

const labelOf = (key: string, fields: InputField[], { meta }: Bundle): string =>
  new Map(Object.entries(formLabels(fields))).get(key) ??
  variableMeta.safeParse(meta?.inputFields?.[key]).data?.label ??
  labelOfAdded(key);

const tokenFound = (label: string, place: 'account' | 'step'): Error =>
  halt(
    `${label}: this contains your API token, so the step stopped. Remove it from the ${place}, because the token belongs only in API Token of the account, which Zapier hides.`,
  );

/** Throws an error that names the field when the account or the input has the token where it doesn't belong. */
const refuseToken = (bundle: Bundle, account: PlainInputField[] = [], step: InputField[] = []): void => {
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

/** The functions that read the input of a step. Turning off a Zap reads none, nor does downloading a file. */
const reader =
  /^(?<kind>triggers|creates|searches)\.(?<key>\w+)\.operation\.(?<part>perform(?:List|Subscribe|Resume)?$|inputFields)/;

/** A run as core starts it. Its own `bundle` is missing when Zapier keeps a large one elsewhere. */
const started = zod.object({
  z: zod.custom<ZObject>(),
  _zapier: zod.object({
    event: zod.object({ method: zod.nullish(zod.string()), bundle: zod.optional(zod.custom<Bundle>()) }),
  }),
});

/**
 * Returns the function that core calls at the start of every run. It refuses input that contains the account's token in each
 * step, form and test of the account, and in an action what the account doesn't let AI agents do. It also notes the account
 * for the requests of the run.
 */
export const startRun =
  (app: App) =>
  async <S>(run: S): Promise<S> => {
    const { z, _zapier } = started.parse(run);
    const { method, bundle } = _zapier.event;
    if (!bundle) return run;
    noteAccount(z, bundle);
    const { kind, key = '', part } = reader.exec(method ?? '')?.groups ?? {};
    const step = { ...app.triggers, ...app.creates, ...app.searches }[key];
    if (kind === 'creates' && part === 'perform') {
      refuseAgent(key, bundle);
      refuseHidden(key, bundle);
    }
    if (step || method === 'authentication.test') {
      refuseToken(bundle, app.authentication.fields, step?.operation.inputFields);
    }
    return { ...run, bundle };
  };
