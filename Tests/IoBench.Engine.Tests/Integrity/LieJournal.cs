using System.Globalization;

namespace IoBench.Engine.Tests;

/// <summary>What a file system that lies at random moments (random_lies.py) wrote down of its lies.</summary>
internal sealed class LieJournal
{
    private readonly Dictionary<int, Told> _lies = [];

    /// <summary>Reads a journal.</summary>
    public LieJournal(IEnumerable<string> lines)
    {
        foreach (var words in lines.Select(line => line.Split(' ')))
            if (words[0] == "enough")
                IsEnough = true;
            else if (words[0] == "told")
                _lies[Number(words[1])] = new Told(
                    long.Parse(words[3], CultureInfo.InvariantCulture),
                    Number(words[4]),
                    double.Parse(words[5], CultureInfo.InvariantCulture),
                    words[6] != "-1"
                );
            else
                _lies[Number(words[1])].Note(words[0], isStray: words[2] == "stray");
    }

    /// <summary>As many lies as were wanted were met by a read.</summary>
    public bool IsEnough { get; }

    /// <summary>The lies.</summary>
    public IReadOnlyCollection<Told> Lies => _lies.Values;

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    /// <summary>A lie.</summary>
    /// <param name="offset">Where.</param>
    /// <param name="length">Bytes that are wrong.</param>
    /// <param name="time">When, in seconds since 1970.</param>
    /// <param name="hasStray">A write is at another place.</param>
    internal sealed class Told(long offset, int length, double time, bool hasStray)
    {
        private bool _isMet,
            _isOver,
            _isStrayMet,
            _isStrayOver;

        public long Offset => offset;
        public int Length => length;
        public double Time => time;

        /// <summary>A read came to it while it stood, or at the latest the final pass.</summary>
        public bool IsFindable => !_isOver || _isMet || (hasStray && (!_isStrayOver || _isStrayMet));

        /// <summary>Of a write that is elsewhere: no read came to that place, so that nobody can know more than that it is lost.</summary>
        public bool IsOnlyLost => hasStray && _isStrayOver && !_isStrayMet;

        public void Note(string what, bool isStray)
        {
            if (isStray)
                (_isStrayMet, _isStrayOver) = (_isStrayMet || what == "met", _isStrayOver || what == "over");
            else
                (_isMet, _isOver) = (_isMet || what == "met", _isOver || what == "over");
        }
    }
}
