import { useActionData, useLocation } from '@remix-run/react';
import { useState } from 'react';
import type { Answer } from '~/core/submission';

/**
 * Returns the last answer of this place's action. A page that reads its data again loses the answer, and a question would close under the person who reads it;
 * this copy stays until the next answer or the next place.
 */
export function useDicho(): Answer | undefined {
  const answer = useActionData<Answer>();
  const { key } = useLocation();
  const [last, keep] = useState({ answer, key });
  // The answer comes a moment before the place it belongs to.
  if (answer && (answer !== last.answer || key !== last.key)) keep({ answer, key });
  return answer ?? (last.key === key ? last.answer : undefined);
}
