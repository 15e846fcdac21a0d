/** The plan and the scopes that each step needs, from the API requests that it makes. */

import { type AppDefinition, type PlacedStep, visibleStepsOf } from '../../lab/zapier/core/app-definition';
import { apiPlan, type Endpoint, endpoints } from '../../src/api/endpoints';
import { type Plan, type Scope, vocabulary } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import type { StepRequests } from './requests';

/** A step that people see, and what it needs. */
export interface Access extends PlacedStep {
  plan: Plan;
  /** The scopes that a live run needs. */
  run: Scope[];
  /** Further scopes that the form and the test in the editor need. */
  setUp: Scope[];
  /** The endpoints that the step calls, in a run or in the editor. */
  endpoints: ReadonlySet<EndpointName>;
}

const scopesOf = (requests: readonly EndpointName[]): Scope[] => {
  const needed = new Set(requests.map((name) => endpoints[name].scope));
  return vocabulary.scope.filter((scope) => needed.has(scope));
};

const byName: Record<EndpointName, Endpoint> = endpoints;

/** Returns the highest of the plans, or the lowest one with access to the API. */
export const highestPlan = (plans: (Plan | undefined)[]): Plan =>
  vocabulary.plan.findLast((plan) => plans.includes(plan)) ?? apiPlan;

/** Returns the plan and the scopes of every step that people see. */
export const accessOf = (app: AppDefinition, all: StepRequests[]): Access[] => {
  const requestsOf = (wanted: (each: StepRequests) => boolean): EndpointName[] =>
    all.filter(wanted).flatMap(({ requests }) => requests);
  return visibleStepsOf(app).map((placed) => {
    const { step } = placed;
    const live = requestsOf((each) => each.key === step.key && !each.isSetUp);
    const editor = requestsOf((each) => each.key === step.key && each.isSetUp);
    const run = scopesOf(live);
    const setUp = scopesOf(editor).filter((scope) => !run.includes(scope));
    const plan = highestPlan(live.map((name) => byName[name].plan));
    return { ...placed, plan, run, setUp, endpoints: new Set([...live, ...editor]) };
  });
};

const isInstant = ({ step }: Access): boolean => step.operation.type === 'hook';

/** Returns the labels of the steps that pass. Names all instant triggers at once, since each one needs the same. */
export const nameSteps = (all: Access[], passes: (access: Access) => boolean): string => {
  const found = all.filter(passes);
  const instant = all.filter(isInstant);
  const hasAllInstant = instant.length > 0 && instant.every(passes);
  const named = hasAllInstant ? found.filter((access) => !isInstant(access)) : found;
  return [...(hasAllInstant ? ['every instant trigger'] : []), ...named.map(({ step }) => step.display.label)].join(
    ', ',
  );
};
