using System.Collections;
using System.Data;
using System.Management.Automation;
using IoBench.Analysis;

namespace IoBench.PowerShell;

/// <summary>Collects snapshots of sys.dm_io_virtual_file_stats: CSV files, tables, or rows of queries or of Get-DbaIoLatency.</summary>
internal sealed class FileStatsInput(SessionState state)
{
    private readonly List<FileStatsSnapshot> _snapshots = [];
    private readonly List<IDictionary> _rows = [];

    public bool IsEmpty => _snapshots.Count + _rows.Count == 0;

    /// <summary>All snapshots so far, in the order in which they were added.</summary>
    public IReadOnlyList<FileStatsSnapshot> GetSnapshots()
    {
        AddSnapshotsOfRows();
        return _snapshots;
    }

    public void Add(object item)
    {
        var plain = DeserializedObject.Unwrap(item);
        if (PathResolver.GetFilePath(state, item) is { } file)
        {
            AddSnapshotsOfRows();
            _snapshots.AddRange(FileStatsSnapshot.LoadFile(file));
        }
        else if (plain is DataTable table)
        {
            AddSnapshot(table.Rows);
        }
        else if (plain is IEnumerable rows and not IDictionary)
        {
            AddSnapshot(rows);
        }
        else
        {
            _rows.Add(plain as IDictionary ?? DeserializedObject.GetMembers(item));
        }
    }

    /// <summary>Whether an object is a snapshot: a row, a list or table of rows, or a file with snapshots.</summary>
    public static bool IsSnapshot(object? item, SessionState state) =>
        DeserializedObject.Unwrap(item) switch
        {
            null => false,
            string or FileInfo => PathResolver.GetFilePath(state, item) is { } file && FileStatsSnapshot.IsSnapshotFile(file),
            DataTable table => table.Rows.Count > 0 && IsSnapshot(table.Rows[0], state),
            IDictionary row => FileStatsSnapshot.IsRow(row),
            IEnumerable rows => rows.Cast<object?>().FirstOrDefault() is { } first && IsSnapshot(first, state),
            PSCustomObject or DataRow or DataRowView => FileStatsSnapshot.IsRow(DeserializedObject.GetMembers(item)),
            _ => false,
        };

    private void AddSnapshot(IEnumerable rows)
    {
        AddSnapshotsOfRows();
        _snapshots.Add(
            FileStatsSnapshot.FromRows(
                rows.Cast<object>().Select(row => DeserializedObject.Unwrap(row) as IDictionary ?? DeserializedObject.GetMembers(row)),
                _snapshots.Count switch
                {
                    0 => "the first snapshot",
                    1 => "the second snapshot",
                    var count => $"snapshot {count + 1}",
                }
            )
        );
    }

    private void AddSnapshotsOfRows()
    {
        _snapshots.AddRange(FileStatsSnapshot.SplitRows(_rows));
        _rows.Clear();
    }
}
