import { TextInput } from '@mantine/core';
import { Form, Link, useLocation } from '@remix-run/react';
import { writeCount } from '~/core/count';
import { withParams } from '~/core/list';
import { Confirm } from '~/ui/Confirm';
import { Edad } from '~/ui/Edad';
import { Estatus } from '~/ui/Estatus';
import { HiddenParams } from '~/ui/HiddenParams';
import { Pesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { Hidden } from '~/ui/useAnswer';
import type { ProductoAbierto } from './record';
import { Piezas } from './Precio';
import { askSeparatePieza } from './questions';

/** The suppliers of the same piece, in pesos at each supplier's rate, the cheapest available one first. The keys propose a match and people decide. */
export function MismaPieza({ producto }: { producto: ProductoAbierto }) {
  const { search } = useLocation();
  const { id, parientes, separados, mejores, destino, puede } = producto;
  if (parientes.length < 2 && separados.length === 0) return null;
  return (
    <>
      <h3>La misma pieza con cada proveedor</h3>
      {parientes.length > 1 && (
        <TablaCaja nombre="La misma pieza con cada proveedor">
          <table className="tabla">
            <thead>
              <tr>
                <th>Proveedor</th>
                <th className="pesos">Costo en pesos</th>
                <th className="pesos">Stock</th>
              </tr>
            </thead>
            <tbody>
              {parientes.map((otro) => (
                <tr key={otro.id} aria-current={otro.id === id || undefined}>
                  <td>
                    {otro.id === id ? (
                      otro.label
                    ) : (
                      <Link to={withParams(search, { ver: otro.id, editar: null })} preventScrollReset discover="none">
                        {otro.label}
                      </Link>
                    )}
                    <div className="nota">
                      {otro.modelo ?? otro.idProveedor}
                      {otro.km !== null && ` · a ${writeCount(otro.km)} km`}
                    </div>
                    <div className="mejores">
                      {otro.id === mejores.barato && <Estatus tono="ok">Más barato</Estatus>}
                      {otro.id === mejores.cercano && <Estatus tono="ok">Más cerca</Estatus>}
                      {otro.id === mejores.fresco && <Estatus tono="ok">Más fresco</Estatus>}
                    </div>
                    {puede.editar && otro.id !== id && (
                      <Form method="post" preventScrollReset>
                        <Hidden intent="par" uno={id} otro={otro.id} igual="no" />
                        <Confirm
                          plain="boton"
                          {...askSeparatePieza(producto, otro)}
                          aria-label={`No es la misma pieza que la de ${otro.label}`}
                        >
                          No es la misma
                        </Confirm>
                      </Form>
                    )}
                  </td>
                  <td className="pesos">
                    <Pesos valor={otro.pesos} />
                    <div className="nota">
                      <Edad valor={otro.precioDe} />
                    </div>
                  </td>
                  <td className="pesos">
                    <Piezas existencia={otro.existencia} tope={false} />
                    <div className="nota">
                      <Edad valor={otro.existenciaDe} vieja={otro.caducada} />
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablaCaja>
      )}
      {parientes.length > 1 && <Destino search={search} {...destino} hay={mejores.cercano !== null} />}
      {separados.map((otro) => (
        <div key={otro.id} className="con-boton nota">
          <span>
            Una persona dijo que no es{' '}
            <Link to={withParams(search, { ver: otro.id, editar: null })} preventScrollReset discover="none">
              la de {otro.label}
            </Link>
            .
          </span>
          {puede.editar && (
            <Form method="post" preventScrollReset>
              <Hidden intent="par" uno={id} otro={otro.id} igual="" />
              <button type="submit" className="boton" aria-label={`Deshacer, la de ${otro.label}`}>
                Deshacer
              </button>
            </Form>
          )}
        </div>
      ))}
    </>
  );
}

type DestinoProps = ProductoAbierto['destino'] & {
  search: string;
  /** True when at least one supplier has the piece. */ hay: boolean;
};

/** The form for the destination, by which the nearest warehouse is found. */
function Destino({ search, cp, conocido, hay }: DestinoProps) {
  return (
    <Form method="get" className="destino" preventScrollReset>
      <HiddenParams search={search} without={['cp', 'editar']} />
      <Hidden editar="cerca" />
      <div className="con-boton">
        <TextInput
          name="cp"
          label="Código postal de destino"
          defaultValue={cp ?? ''}
          inputMode="numeric"
          pattern="[0-9]{5}"
          title="Son 5 números."
          maxLength={5}
          autoComplete="off"
          error={cp !== null && !conocido && 'Son 5 números, de un código postal que exista.'}
        />
        <button type="submit" className="boton">
          Comparar
        </button>
      </div>
      {conocido && !hay && (
        <p className="nota" role="status">
          De los que tienen piezas, ninguno dice desde qué ciudad salen.
        </p>
      )}
    </Form>
  );
}
