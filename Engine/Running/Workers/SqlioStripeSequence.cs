namespace IoBench.Engine;

/// <summary>SQLIO's stripe pattern (-f&lt;n&gt; -i&lt;n&gt;): down one column of a table of blocks, then the next one.</summary>
/// <remarks>Thread k of t starts at column k x n / t. Source: the readme of sqlio v1.5.</remarks>
internal sealed class SqlioStripeSequence
{
    private readonly long _start;
    private readonly long _blockSize;
    private readonly int _columns;
    private readonly int _rows;
    private readonly bool _stays;
    private int _column;
    private int _row;

    /// <exception cref="IoBenchException">The rows and columns do not fit in the range.</exception>
    public SqlioStripeSequence(IoPattern pattern, long blockSize, TargetRange range, int thread, int threads)
    {
        _start = range.Start;
        _blockSize = blockSize;
        _columns = pattern.StripeColumns;
        _rows = pattern.StripeRows;
        _stays = pattern.StripeStays;
        _column = (int)((long)thread * _columns / threads);
        if ((Int128)_columns * _rows * _blockSize > range.Length)
        {
            throw IoBenchException.Usage(
                "IoBench.TargetTooSmall",
                $"A stripe of {NumberFormat.Pluralize(_columns, "column")} x {NumberFormat.Pluralize(_rows, "row")} x "
                    + $"{new IoSize(_blockSize)} needs "
                    + $"{new IoSize((long)Int128.Min(long.MaxValue, (Int128)_columns * _rows * _blockSize)).ToDisplayString()}, but the "
                    + $"file is {new IoSize(range.Length).ToDisplayString()}.",
                advice: "Use a larger file or a smaller stripe."
            );
        }
    }

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
