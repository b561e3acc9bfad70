using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Reads ERRORLOG files of SQL Server in order of time. A file that fails does not affect the others.</summary>
public static partial class ErrorLogImporter
{
    private const int EventsPerCollection = 2_000;

    private static readonly TimeSpan s_minInterval = TimeSpan.FromMinutes(1);

    /// <summary>Length of the intervals of the timeline; null for the default.</summary>
    /// <exception cref="IoBenchException">The length is out of range.</exception>
    public static TimeSpan? GetInterval(OptionValues values)
    {
        var name = new OptionName("Interval");
        var interval = values.GetValue<TimeSpan>(name);
        // No duration is longer than 366 days.
        return interval is not { } length || length >= s_minInterval
            ? interval
            : throw IoBenchException.Usage(
                "IoBench.InvalidValue",
                $"{name.WithValue(new IoDuration(length))} is out of range. Use a value from 1m to 366d. A number without a unit is in seconds."
            );
    }

    /// <summary>Returns the files, and the ERRORLOG files of folders, in order of their first message. Each file is returned
    /// once.</summary>
    public static IReadOnlyList<string> FindLogs(IEnumerable<string> paths, Action<IoBenchException> onError)
    {
        List<(string Path, DateTime Time)> logs = [];
        foreach (var path in paths.SelectMany(path => ExpandFolder(path, onError)).DistinctBy(Path.GetFullPath))
        {
            try
            {
                logs.Add((path, ErrorLogReader.ReadFirstTime(path) ?? DateTime.MaxValue));
            }
            catch (IoBenchException error)
            {
                onError(error);
            }
        }
        return [.. logs.OrderBy(log => log.Time).Select(log => log.Path)];
    }

    /// <summary>Reads the events of all logs, and adds them to the analyzer.</summary>
    /// <param name="onLog">Receives the path of each log before it is read.</param>
    public static IEnumerable<ErrorLogEvent> ReadEvents(
        IReadOnlyList<string> logs,
        ErrorLogAnalyzer analyzer,
        Action<IoBenchException> onError,
        Action<string>? onLog = null,
        CancellationToken stop = default
    )
    {
        foreach (var path in logs)
        {
            onLog?.Invoke(path);
            var log = new ErrorLogReader(path);
            using var events = log.ReadEvents(stop).GetEnumerator();
            IoBenchException? problem = null;
            long count = 0;
            while (TryMoveNext(events, ref problem))
            {
                yield return analyzer.Add(events.Current);
                // A collection otherwise begins when the garbage is as large as the CPU cache.
                if (++count % EventsPerCollection == 0)
                    GC.Collect(0, GCCollectionMode.Forced, blocking: true);
            }
            if (problem is null)
                analyzer.AddLog(log);
            else
                onError(problem);
        }
    }

    /// <summary>Reads all events of files and folders for a report.</summary>
    public static ErrorLogResult Analyze(IEnumerable<string> paths, Action<IoBenchException> onError, CancellationToken stop = default)
    {
        var analyzer = new ErrorLogAnalyzer(keepsEvents: true);
        using var events = ReadEvents(FindLogs(paths, onError), analyzer, onError, stop: stop).GetEnumerator();
        while (events.MoveNext())
        {
            // The analyzer collects the events.
        }
        return analyzer.CreateResult();
    }

    /// <summary>Each finding as printed: what was found, and what to do.</summary>
    public static IEnumerable<string> DescribeFindings(ErrorLogResult result) =>
        result.Findings.Where(finding => finding.Code != FindingCodes.ErrorLogNone).Select(finding => finding.Describe());

    private static bool TryMoveNext(IEnumerator<ErrorLogEvent> events, ref IoBenchException? problem)
    {
        try
        {
            return events.MoveNext();
        }
        catch (IoBenchException error)
        {
            problem = error;
            return false;
        }
    }

    private static IReadOnlyList<string> ExpandFolder(string path, Action<IoBenchException> onError)
    {
        if (!Directory.Exists(path))
            return [path];
        try
        {
            var found = InputFiles.GetFiles(path, recurse: false).Where(file => LogName().IsMatch(Path.GetFileName(file))).ToList();
            if (found.Count > 0)
                return found;
            onError(
                IoBenchException.NotFound(
                    "IoBench.NoErrorLogs",
                    $"The folder {path} contains no error log. Error logs are named ERRORLOG, ERRORLOG.1, and so on.",
                    path,
                    advice: "Specify the Log folder of SQL Server, or the files."
                )
            );
        }
        catch (IoBenchException error)
        {
            onError(error);
        }
        return [];
    }

    /// <summary>SQL Server keeps up to 99 old logs, with numbers.</summary>
    [GeneratedRegex(@"^errorlog(?:\.[0-9]{1,3})?$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex LogName();
}
