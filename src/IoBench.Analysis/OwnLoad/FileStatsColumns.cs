using System.Collections;
using System.Globalization;

namespace IoBench.Analysis;

internal static class FileStatsSnapshot
{
    private static readonly Dictionary<string, string> s_dbatoolsColumns = new(StringComparer.OrdinalIgnoreCase)
    {
        ["DatabaseId"] = "database_id",
        ["FileId"] = "file_id",
        ["SampleMilliseconds"] = "sample_ms",
        ["PhysicalName"] = "physical_name",
        ["NumberOfReads"] = "num_of_reads",
        ["NumberOfBytesRead"] = "num_of_bytes_read",
        ["IoStallRead"] = "io_stall_read_ms",
        ["NumberOfWrites"] = "num_of_writes",
        ["NumberOfBytesWritten"] = "num_of_bytes_written",
        ["IoStallWrite"] = "io_stall_write_ms",
    };

    internal static Dictionary<string, object?> GetColumnValues(IDictionary row)
    {
        var values = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
        foreach (DictionaryEntry entry in row)
        {
            var name = Convert.ToString(entry.Key, CultureInfo.InvariantCulture) ?? "";
            values[s_dbatoolsColumns.GetValueOrDefault(name, name)] = entry.Value;
        }
        return values;
    }
}
