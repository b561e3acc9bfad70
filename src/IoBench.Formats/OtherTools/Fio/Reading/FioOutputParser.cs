using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A run can be present in several forms or several times. Each job becomes one result, from the form with most values.</summary>
internal sealed class FioOutputParser(FioTokenizer source, string? name)
{
    private const int MaxPending = FioJsonParser.MaxJobs;

    private readonly Queue<IoTestResult> _results = new();
    private readonly FioTextParser _text = new();
    private readonly List<FioJob> _terse = [];
    private List<FioJob> _normal = [];
    private FioJsonParser? _document;
    private string? _failure;
    private bool _cancelled;
    private int _statusOutputs;

    // The last job of a long document that was already returned. Clones of that job can still follow.
    private FioJob? _lastEmitted;

    internal bool HasFioOutput { get; private set; }

    internal string? FirstError { get; private set; }

    internal bool TryDequeueResult(out IoTestResult result) => _results.TryDequeue(out result!);

    internal bool ReadNext()
    {
        if (source.IsAtDocumentStart())
        {
            ReadDocument();
            return true;
        }
        if (!source.TryReadLine(out var line, out var number))
            return false;
        ParseLine(Encoding.UTF8.GetString(line), number);
        return true;
    }

    internal void EndText()
    {
        FinishRun(isCut: true);
    }

    private void ParseLine(string line, int number)
    {
        if (FioTerseParser.IsTerseLine(line))
        {
            AddTerseJob(FioTerseParser.ParseLine(line, number));
            return;
        }
        if (line.StartsWith("fio: terminating on signal", StringComparison.Ordinal))
        {
            _cancelled = true;
            return;
        }
        if (line.StartsWith("fio: ", StringComparison.Ordinal))
        {
            if (IsFailure(line))
                RecordError(line);
            // Example: "fio: pid=1, err=28/file:io_u.c:1876, func=io_u error, error=No space left on device"
            if (line.Contains("err=", StringComparison.Ordinal) && line.IndexOf("error=", StringComparison.Ordinal) is > 0 and var at)
            {
                _failure = line[(at + 6)..];
            }
            return;
        }
        if (IsVerificationError(line) || IsFailure(line))
            RecordError(line);
        if (_text.IsStartOfNextRun(line))
            FinishRun(isCut: false);
        if (_text.TryParseLine(line, number))
            HasFioOutput = true;
        if (_text.Jobs.Count >= MaxPending)
            FinishRun(isCut: false);
    }

    private void RecordError(string line)
    {
        HasFioOutput = true;
        FirstError ??= FioValueParser.Shorten(line, 200);
        if (_errors.Count < MaxErrors && FioValueParser.Shorten(line.Trim(), 200) is var error && !_errors.Contains(error))
            _errors.Add(error);
    }

    /// <summary>Examples: fio: engine foo not loadable, w: you need to specify size=</summary>
    internal static bool IsFailure(ReadOnlySpan<char> line)
    {
        if (line.IndexOf(": you need to specify ") > 0)
            return true;
        if (!line.StartsWith("fio: ") || line.Length > 4096)
            return false;
        foreach (var word in s_failureWords)
        {
            if (line.Contains(word, StringComparison.OrdinalIgnoreCase))
                return true;
        }
        return false;
    }

    private const int MaxErrors = 5;

    private static readonly string[] s_failureWords =
    [
        "err=",
        "error",
        "too small",
        "must ",
        "dropped",
        "fail",
        "unable",
        "cannot",
        "could not",
        "not loadable",
        "no such",
        "unrecognized",
        "unknown",
        "bad option",
        "invalid",
        "denied",
    ];

    private readonly List<string> _errors = [];

    /// <summary>Creates the result of an output without results that has fio's error messages; null if there are none.</summary>
    internal IoTestResult? CreateFailedResult()
    {
        if (_errors.Count == 0)
            return null;
        var result = FioResultBuilder.Build(_text.CreateAnnouncedJob(), name);
        result.Status = IoResultStatus.Failed;
        result.ErrorId = "IoBench.FioFailed";
        result.ErrorMessage = $"fio failed: {string.Join(" ", _errors)}";
        return result;
    }

    internal static bool IsVerificationError(ReadOnlySpan<char> line) =>
        line.StartsWith("verify: bad ") || line.IndexOf(": verify failed at file ") > 0;

    private void AddTerseJob(FioJob job)
    {
        HasFioOutput = true;
        // fio prints the terse lines of a run first, so this line starts another run.
        if (_document is not null || _text.Jobs.Count > 0 || _terse.Count >= MaxPending)
            FinishRun(isCut: false);
        SetEndReason(job);
        _terse.Add(job);
    }

    private void SetEndReason(FioJob job)
    {
        job.IsCanceled = _cancelled;
        if (job.Error != 0)
            job.ErrorText ??= _failure;
    }

    private void ReadDocument()
    {
        FioJsonParser? parser = null;
        _lastEmitted = null;
        parser = new FioJsonParser(source, name) { JobLimitReached = () => EmitJobs(parser!) };
        parser.ReadDocument();
        HasFioOutput |= parser.IsFio;
        if (parser.Jobs.Count == 0)
        {
            // The messages before a document belong to its jobs, all of which may already have been returned.
            if (_lastEmitted is not null)
            {
                _failure = null;
                _cancelled = false;
            }
            return;
        }
        foreach (var job in parser.Jobs)
            SetEndReason(job);
        if (_document is not null && parser.IsLaterOutputOf(_document))
        {
            _statusOutputs++;
        }
        else
        {
            if (_document is not null || _text.Jobs.Count > 0 || !_terse.TrueForAll(job => parser.ContainsJob(job)))
                FinishRun(isCut: false);
            _statusOutputs = 0;
        }
        _document = parser;
        _failure = null;
        _cancelled = false;
    }

    /// <summary>Returns the jobs of a very long document before its end. Consecutive jobs with the same name are clones.</summary>
    private void EmitJobs(FioJsonParser parser)
    {
        FinishRun(isCut: false);
        CountClones(parser.Jobs);
        _lastEmitted = parser.Jobs[^1];
        foreach (var job in parser.Jobs)
        {
            SetEndReason(job);
            _results.Enqueue(FioResultBuilder.Build(job, name));
        }
        parser.Jobs.Clear();
    }

    private void FinishRun(bool isCut)
    {
        _normal = _text.EndRun(isCut);
        foreach (var job in _normal)
            SetEndReason(job);
        List<FioJob> jobs;
        if (_document is not null)
        {
            CountClones(_document.Jobs);
            _document.Jobs[0].EarlierOutputCount = _statusOutputs;
            // The normal output states the number of jobs in a group, and JSON does not.
            foreach (var (job, same) in _document.Jobs.Select(job => (job, _normal.Find(job.IsSameJob))))
                job.MemberCount ??= same?.MemberCount;
            jobs = [.. _document.Jobs, .. _normal.Where(job => !_document.ContainsJob(job))];
        }
        else
        {
            jobs = [.. _normal, .. _terse.Where(job => !_normal.Exists(job.IsSameJob))];
        }
        if (jobs.Find(job => job.EarlierOutputCount > 0) is { } repeated)
            repeated.Warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The text contains {repeated.EarlierOutputCount + 1} sets of results for this run, because fio also printed intermediate results. IoBench uses only the last set."
                )
            );
        foreach (var job in jobs.OrderBy(job => job.Line))
            _results.Enqueue(FioResultBuilder.Build(job, name));
        _terse.Clear();
        _normal = [];
        _document = null;
        _lastEmitted = null;
        _statusOutputs = 0;
        if (jobs.Count > 0)
        {
            _failure = null;
            _cancelled = false;
        }
    }

    private void CountClones(List<FioJob> jobs)
    {
        foreach (var clones in jobs.GroupBy(job => (job.Name, job.Group, job.HostName)))
        {
            var count = clones.Count() + (_lastEmitted is { } last && clones.Key == (last.Name, last.Group, last.HostName) ? 1 : 0);
            foreach (var job in clones)
                job.CloneCount = count;
        }
    }
}
