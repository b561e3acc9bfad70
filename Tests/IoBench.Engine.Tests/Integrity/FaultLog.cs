using System.Globalization;

namespace IoBench.Engine.Tests;

/// <summary>Log of the faults that random_lies.py has injected at random times.</summary>
internal sealed class FaultLog
{
    private readonly Dictionary<int, LoggedFault> _faults = [];

    public FaultLog(IEnumerable<string> lines)
    {
        foreach (var words in lines.Select(line => line.Split(' ')))
            if (words[0] == "enough")
                HasEnoughFaults = true;
            else if (words[0] == "told")
                _faults[ParseNumber(words[1])] = new LoggedFault(
                    long.Parse(words[3], CultureInfo.InvariantCulture),
                    ParseNumber(words[4]),
                    double.Parse(words[5], CultureInfo.InvariantCulture),
                    words[6] != "-1"
                );
            else
                _faults[ParseNumber(words[1])].AddEvent(words[0], isStray: words[2] == "stray");
    }

    /// <summary>True if reads have returned the requested number of faults.</summary>
    public bool HasEnoughFaults { get; }

    public IReadOnlyCollection<LoggedFault> Faults => _faults.Values;

    private static int ParseNumber(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    /// <summary>An injected fault.</summary>
    /// <param name="offset">Offset of the damage.</param>
    /// <param name="length">Number of damaged bytes.</param>
    /// <param name="time">Time in seconds since 1970.</param>
    /// <param name="hasStray">True if the data of a write went to another offset.</param>
    internal sealed class LoggedFault(long offset, int length, double time, bool hasStray)
    {
        private bool _isMet,
            _isOver,
            _isStrayMet,
            _isStrayOver;

        public long Offset => offset;
        public int Length => length;
        public double Time => time;

        /// <summary>
        /// True if verification must find the fault: a read returned it while it existed, or it still exists in the final pass.
        /// </summary>
        public bool MustBeFound => !_isOver || _isMet || (hasStray && (!_isStrayOver || _isStrayMet));

        /// <summary>
        /// True for a misdirected write whose wrong location no read returned, so that verification can report only a lost write.
        /// </summary>
        public bool IsLostWriteOnly => hasStray && _isStrayOver && !_isStrayMet;

        public void AddEvent(string what, bool isStray)
        {
            if (isStray)
                (_isStrayMet, _isStrayOver) = (_isStrayMet || what == "met", _isStrayOver || what == "over");
            else
                (_isMet, _isOver) = (_isMet || what == "met", _isOver || what == "over");
        }
    }
}
