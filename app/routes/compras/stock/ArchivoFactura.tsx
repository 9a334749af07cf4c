import { useId } from 'react';
import { MAX_FACTURA_MB } from '~/domain/compras/stock/pieza';
import { ArchivoInput } from '~/ui/ArchivoInput';

/** 'Seleccionar archivo': the invoice of a piece, as a PDF. */
export function ArchivoFactura({ error }: { error: string | undefined }) {
  const id = useId();
  return (
    <div className="archivo">
      <label htmlFor={id}>Seleccionar archivo</label>
      <ArchivoInput
        id={id}
        name="factura"
        accept=".pdf,application/pdf"
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-nota`}
      />
      <p id={`${id}-nota`} className={error ? 'error' : 'nota'}>
        {error ?? `PDF de la factura, máximo ${MAX_FACTURA_MB} MB.`}
      </p>
    </div>
  );
}
