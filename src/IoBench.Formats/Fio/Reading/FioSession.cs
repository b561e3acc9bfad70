using System.Globalization;
using System.Text;

namespace IoBench.Formats.Fio.Reading;

/// <summary>
/// Reads a text of fio's outputs in whatever forms and order: the same run may stand there as a terse line, as JSON and as text (<c>--output-format=normal,json,terse</c>),
/// or several times while it ran (<c>--status-interval</c>). Each job gives one result, from the form that says most.
/// </summary>
internal sealed class FioSession(FioSource source, string? name)
{
    private const int MaxPending = FioJsonParser.MaxJobs;

    private readonly Queue<IoTestResult> _results = new();
    private readonly FioTextParser _text = new();
    private readonly List<FioJob> _terse = [];
    private List<FioJob> _normal = [];
    private FioDocument? _document;
    private string? _failure;
    private bool _cancelled;
    private int _statusOutputs;

    // Of a long document: the last job that went out before its end, whose clones may still come.
    private FioJob? _givenOut;

    /// <summary>Anything of fio's was seen.</summary>
    internal bool SawFio { get; private set; }

    /// <summary>The first line that says what went wrong; null when none does.</summary>
    internal string? FirstError { get; private set; }

    internal bool TryTake(out IoTestResult result) => _results.TryDequeue(out result!);

    /// <summary>Reads the next document or line; false at the end of the text.</summary>
    internal bool Step()
    {
        if (source.BeginsDocument())
        {
            ReadDocument();
            return true;
        }
        if (!source.TryReadLine(out var line, out var number))
            return false;
        Take(Encoding.UTF8.GetString(line), number);
        return true;
    }

    /// <summary>The text has ended.</summary>
    internal void End()
    {
        Flush(isCut: true);
    }

    private void Take(string line, int number)
    {
        if (FioTerseParser.IsLine(line))
        {
            TakeTerse(FioTerseParser.Read(line, number));
            return;
        }
        if (line.StartsWith("fio: terminating on signal", StringComparison.Ordinal))
        {
            _cancelled = true;
            return;
        }
        if (line.StartsWith("fio: ", StringComparison.Ordinal))
        {
            // "fio: pid=1, err=28/file:io_u.c:1876, func=io_u error, error=No space left on device"
            if (line.Contains("err=", StringComparison.Ordinal) && line.IndexOf("error=", StringComparison.Ordinal) is > 0 and var at)
            {
                _failure = line[(at + 6)..];
                Remark(line);
            }
            return;
        }
        if (SaysDataIsWrong(line))
            Remark(line);
        if (_text.BeginsRun(line))
            Flush(isCut: false);
        if (_text.TryTake(line, number))
            SawFio = true;
        if (_text.Jobs.Count >= MaxPending)
            Flush(isCut: false);
    }

    private void Remark(string line)
    {
        SawFio = true;
        FirstError ??= FioText.Short(line, 200);
    }

    /// <summary>Whether fio says in a line that a block is not what it wrote there.</summary>
    internal static bool SaysDataIsWrong(ReadOnlySpan<char> line) =>
        line.StartsWith("verify: bad ") || line.IndexOf(": verify failed at file ") > 0;

    private void TakeTerse(FioJob job)
    {
        SawFio = true;
        // fio prints its terse lines before all else of a run.
        if (_document is not null || _text.Jobs.Count > 0 || _terse.Count >= MaxPending)
            Flush(isCut: false);
        Mark(job);
        _terse.Add(job);
    }

    /// <summary>What fio said before a job's figures about how it ended.</summary>
    private void Mark(FioJob job)
    {
        job.IsCancelled = _cancelled;
        if (job.Error != 0)
            job.ErrorText ??= _failure;
    }

    private void ReadDocument()
    {
        FioJsonParser? parser = null;
        _givenOut = null;
        parser = new FioJsonParser(source, name) { Full = () => GiveOut(parser!) };
        parser.Read();
        SawFio |= parser.IsFio;
        if (parser.Jobs.Count == 0)
        {
            // What fio said before a document was about its jobs, which may all have gone out.
            if (_givenOut is not null)
                (_failure, _cancelled) = (null, false);
            return;
        }
        foreach (var job in parser.Jobs)
            Mark(job);
        var document = new FioDocument(parser.Jobs, parser.TimestampMs, parser.HasMilliseconds);
        if (_document is not null && document.ContinuesFrom(_document))
        {
            _statusOutputs++;
        }
        else
        {
            if (_document is not null || _text.Jobs.Count > 0 || !_terse.TrueForAll(job => document.Holds(job)))
                Flush(isCut: false);
            _statusOutputs = 0;
        }
        _document = document;
        _failure = null;
        _cancelled = false;
    }

    /// <summary>Of a document with very many jobs those that were read: their names tell whether a job's clones stand behind each other.</summary>
    private void GiveOut(FioJsonParser parser)
    {
        Flush(isCut: false);
        CountClones(parser.Jobs);
        _givenOut = parser.Jobs[^1];
        foreach (var job in parser.Jobs)
        {
            Mark(job);
            _results.Enqueue(FioResultBuilder.Build(job, name));
        }
        parser.Jobs.Clear();
    }

    /// <summary>A run has ended: gives out its jobs.</summary>
    private void Flush(bool isCut)
    {
        _normal = _text.EndRun(isCut);
        foreach (var job in _normal)
            Mark(job);
        List<FioJob> jobs;
        if (_document is not null)
        {
            CountClones(_document.Jobs);
            _document.Jobs[0].StatusOutputs = _statusOutputs;
            // The text says how many jobs a group has, which JSON does not.
            foreach (var (job, same) in _document.Jobs.Select(job => (job, _normal.Find(job.IsSameAs))))
                job.Members ??= same?.Members;
            jobs = [.. _document.Jobs, .. _normal.Where(job => !_document.Holds(job))];
        }
        else
        {
            jobs = [.. _normal, .. _terse.Where(job => !_normal.Exists(job.IsSameAs))];
        }
        if (jobs.Find(job => job.StatusOutputs > 0) is { } repeated)
            repeated.Warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The text holds {repeated.StatusOutputs + 1} outputs of this run, made while it ran: the last one is read."
                )
            );
        foreach (var job in jobs.OrderBy(job => job.Line))
            _results.Enqueue(FioResultBuilder.Build(job, name));
        _terse.Clear();
        _normal = [];
        _document = null;
        _givenOut = null;
        _statusOutputs = 0;
        if (jobs.Count > 0)
            (_failure, _cancelled) = (null, false);
    }

    private void CountClones(List<FioJob> jobs)
    {
        foreach (var clones in jobs.GroupBy(job => (job.Name, job.Group, job.HostName)))
        {
            var count = clones.Count() + (_givenOut is { } last && clones.Key == (last.Name, last.Group, last.HostName) ? 1 : 0);
            foreach (var job in clones)
                job.Clones = count;
        }
    }
}

/// <summary>One of fio's JSON documents.</summary>
internal sealed record FioDocument(List<FioJob> Jobs, double? TimestampMs, bool HasMilliseconds)
{
    /// <summary>Whether one of its jobs is the same as one that was read from another form.</summary>
    internal bool Holds(FioJob other) => Jobs.Exists(job => job.IsSameAs(other));

    /// <summary>
    /// Whether this is a later output of the same run: the same jobs, which have done more since, of a fio that was started at the same moment. Seconds
    /// since the start are rounded up, so two runs shorter than that, one right behind the other, cannot be told from one.
    /// </summary>
    internal bool ContinuesFrom(FioDocument earlier)
    {
        // A run that was cut off stays a result of its own: nothing complete may hide it.
        if (
            earlier.Jobs.Exists(job => job.CutOff is not null)
            || Jobs.Count != earlier.Jobs.Count
            || TimestampMs is not { } now
            || earlier.TimestampMs is not { } then
            || now < then
            || Jobs[0].ElapsedSeconds is not { } elapsed
            || earlier.Jobs[0].ElapsedSeconds is not { } before
            || elapsed < before
        )
            return false;
        var fraction = HasMilliseconds ? 0 : 1000;
        // The last two may be of the same second: what has measured for longer than the time between them had begun before both. A copy has done no more.
        if (
            elapsed == before
            && (
                Jobs.Max(job => job.LongestRuntimeMs) <= now - then + fraction
                || Jobs.Zip(earlier.Jobs)
                    .All(pair => pair.First.LongestRuntimeMs <= pair.Second.LongestRuntimeMs && pair.First.Amount <= pair.Second.Amount)
            )
        )
            return false;
        var longest = earlier.Jobs.Max(job => job.LongestRuntimeMs);
        // Started before the earlier output by at least the time it had measured, and the two windows of the start meet.
        return now - elapsed * 1000 <= then - longest + fraction
            && Math.Abs(now - elapsed * 1000 - (then - before * 1000)) <= 1000 + fraction
            && Jobs.Zip(earlier.Jobs)
                .All(pair =>
                    pair.First.Name == pair.Second.Name
                    && pair.First.Group == pair.Second.Group
                    && pair.First.LongestRuntimeMs >= pair.Second.LongestRuntimeMs
                    && pair.First.Amount >= pair.Second.Amount
                );
    }
}
