namespace IoBench.Engine.Running.Workers;

/// <summary>
/// SQLIO's stripe form (-f&lt;n&gt; -i&lt;n&gt;): blocks form rows of n columns; a run goes down one column, then moves one column on, until all
/// columns are covered, then starts again. Thread k of t begins at column k x n / t. After the readme of sqlio v1.5.
/// </summary>
internal sealed class StripeWalk
{
    private readonly long _start;
    private readonly long _blockSize;
    private readonly int _columns;
    private readonly int _rows;
    private readonly bool _stays;
    private int _column;
    private int _row;

    /// <summary>The walk of one thread.</summary>
    /// <exception cref="IoBenchException">The array of blocks does not fit into the range.</exception>
    public StripeWalk(IoOrder.Stripe stripe, long blockSize, TargetRange range, int thread, int threads)
    {
        _start = range.Start;
        _blockSize = blockSize;
        _columns = stripe.Columns;
        _rows = stripe.Rows;
        _stays = stripe.Stays;
        _column = (int)((long)thread * _columns / threads);
        if ((Int128)_columns * _rows * _blockSize > range.Length)
        {
            throw IoBenchException.Usage(
                "IoBench.TargetTooSmall",
                $"a stripe of {Figures.Counted(_columns, "column")} x {Figures.Counted(_rows, "row")} x {new IoSize(_blockSize)} needs {new IoSize((long)Int128.Min(long.MaxValue, (Int128)_columns * _rows * _blockSize)).ToDisplayString()} and the file has {new IoSize(range.Length).ToDisplayString()}.",
                advice: "Use a larger file or a smaller stripe."
            );
        }
    }

    /// <summary>The next offset in bytes.</summary>
    public long Next()
    {
        var offset = _start + ((long)_row * _columns + _column) * _blockSize;
        if (++_row == _rows)
        {
            _row = 0;
            if (!_stays)
                _column = (_column + 1) % _columns;
        }
        return offset;
    }
}
