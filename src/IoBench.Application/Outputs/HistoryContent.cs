using System.Text;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Fingerprints of the results that a history contains, and how far each of its files was read. Files of a history only
/// grow.</summary>
internal sealed class HistoryContent
{
    private readonly HashSet<string> _fingerprints = [];
    private readonly Dictionary<string, long> _readLengths = new(StringComparer.Ordinal);

    public static HistoryContent Read(string folder)
    {
        var content = new HistoryContent();
        if (!Directory.Exists(folder))
            return content;
        // Note the lengths first, so that a line that is added in the meantime is read again rather than missed.
        foreach (var file in new DirectoryInfo(folder).EnumerateFiles("*" + ResultHistory.Extension))
            content._readLengths[Path.Combine(folder, file.Name)] = file.Length;
        try
        {
            content._fingerprints.UnionWith(ResultHistory.Read(folder).Select(HistoryImporter.ComputeFingerprint));
        }
        catch (IoBenchException error) when (error.ErrorId == ErrorIds.NoResultFiles)
        {
            // A new folder.
        }
        return content;
    }

    public bool Contains(IoTestResult result) => _fingerprints.Contains(HistoryImporter.ComputeFingerprint(result));

    public void Add(string path, long length, IEnumerable<IoTestResult> results)
    {
        _fingerprints.UnionWith(results.Select(HistoryImporter.ComputeFingerprint));
        _readLengths[path] = length;
    }

    /// <summary>Reads the lines that were added to a file since it was read last.</summary>
    public void ReadAdded(string path, FileStream file)
    {
        var start = _readLengths.GetValueOrDefault(path);
        if (start == file.Length)
            return;
        file.Position = start < file.Length ? FindLineStart(file, start) : 0;
        using var reader = new StreamReader(file, Encoding.UTF8, leaveOpen: true);
        while (reader.ReadLine() is { } line)
        {
            if (TryParse(line, path) is { } result)
                _fingerprints.Add(HistoryImporter.ComputeFingerprint(result));
        }
        _readLengths[path] = file.Length;
    }

    // Another process can have been writing a line when the length was noted.
    private static long FindLineStart(FileStream file, long position)
    {
        for (; position > 0; position--)
        {
            file.Position = position - 1;
            if (file.ReadByte() == '\n')
                break;
        }
        return position;
    }

    private static IoTestResult? TryParse(string line, string path)
    {
        try
        {
            using var bytes = new MemoryStream(Encoding.UTF8.GetBytes(line));
            return JsonResultReader.Read(bytes, path).FirstOrDefault();
        }
        catch (IoBenchException e) when (e.ErrorId == ErrorIds.InvalidJson)
        {
            // An incomplete line of a killed process.
            return null;
        }
    }
}
