/** The attributes of an input whose value has a problem, which `Problem` shows below it. */
export const describeProblem = (id: string, problem: string | undefined): object =>
  problem ? { 'aria-invalid': 'true', 'aria-describedby': `problem-${id}` } : {};

/** Shows what is wrong with the value of the input with this id. */
export const Problem = ({ id, children }: { id: string; children: string | undefined }) =>
  children ? (
    <p class="problem" id={`problem-${id}`} role="alert">
      {children}
    </p>
  ) : null;
