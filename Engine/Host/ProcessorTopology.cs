namespace IoBench.Engine;

/// <summary>Processors of this computer, and the processors that threads of a test can run on.</summary>
internal sealed partial class ProcessorTopology
{
    private static readonly Lazy<ProcessorTopology> s_current = new(() =>
        new ProcessorTopology(
            OperatingSystem.IsLinux() ? ReadLinuxNodes("/sys/devices/system/node")
            : OperatingSystem.IsWindows() ? ReadWindowsNodes()
            : []
        )
    );

    private readonly Dictionary<int, int> _nodes = [];

    public ProcessorTopology(IEnumerable<(int Node, int[] Processors)> nodes)
    {
        foreach (var (node, processors) in nodes)
        foreach (var processor in processors)
            _nodes[processor] = node;
    }

    public static ProcessorTopology Current => s_current.Value;

    public int NodeCount => _nodes.Values.Distinct().Count();

    public int? GetNode(int processor) => _nodes.TryGetValue(processor, out var node) ? node : null;

    /// <summary>
    /// Orders CPUs node by node, because few threads then share a node, its memory, and its path to the device. Linux often distributes
    /// numbers across nodes.
    /// </summary>
    public int[] OrderByNode(IEnumerable<int> processors) => [.. processors.OrderBy(p => GetNode(p) ?? int.MaxValue).ThenBy(p => p)];

    /// <summary>Reads the nodes below a folder (Documentation/ABI/stable/sysfs-devices-node).</summary>
    internal static List<(int Node, int[] Processors)> ReadLinuxNodes(string folder)
    {
        var nodes = new List<(int, int[])>();
        foreach (var node in Directory.Exists(folder) ? Directory.EnumerateDirectories(folder, "node*") : [])
        {
            var list = Path.Combine(node, "cpulist");
            if (int.TryParse(Path.GetFileName(node).AsSpan("node".Length), out var number) && File.Exists(list))
                nodes.Add((number, [.. ParseCpuList(File.ReadAllText(list))]));
        }
        return nodes;
    }

    /// <summary>Parses the kernel's list format, such as <c>0-3,8-11</c>.</summary>
    internal static IEnumerable<int> ParseCpuList(string list)
    {
        foreach (var part in list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var ends = part.Split('-', 2);
            if (!int.TryParse(ends[0], out var first) || !int.TryParse(ends[^1], out var last))
                continue;
            for (var i = first; i <= last; i++)
                yield return i;
        }
    }

    private static unsafe List<(int, int[])> ReadWindowsNodes()
    {
        // Since Windows Server 2022, a node can span groups. Only RelationNumaNodeEx reports all of them.
        foreach (var relation in (int[])[WindowsCalls.RelationNumaNodeEx, WindowsCalls.RelationNumaNode])
        {
            uint bytes = 0;
            _ = WindowsCalls.GetLogicalProcessorInformationEx(relation, null, &bytes);
            if (bytes == 0)
                continue;
            var buffer = new byte[bytes];
            fixed (byte* start = buffer)
                if (WindowsCalls.GetLogicalProcessorInformationEx(relation, start, &bytes) != 0)
                    return ParseWindowsNodes(buffer.AsSpan(0, (int)bytes));
        }
        return [];
    }

    /// <summary>
    /// Parses SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX records: relation and size (4 bytes each), then NUMA_NODE_RELATIONSHIP with the
    /// node's number at 8, the number of groups at 30 (0 before Windows Server 2022 means one group), and the masks from 32 (16 bytes
    /// each).
    /// </summary>
    internal static List<(int Node, int[] Processors)> ParseWindowsNodes(ReadOnlySpan<byte> list)
    {
        const int nodeAt = 8,
            countAt = 30,
            masksAt = 32,
            maskBytes = 16,
            groupAt = 8;
        var nodes = new List<(int, int[])>();
        while (list.Length >= masksAt + maskBytes)
        {
            var size = BitConverter.ToInt32(list[4..]);
            if (size < masksAt + maskBytes || size > list.Length)
                break;
            var processors = new List<int>();
            for (var i = 0; i < Math.Max(1, (int)BitConverter.ToUInt16(list[countAt..])) && masksAt + (i + 1) * maskBytes <= size; i++)
            {
                var group = list[(masksAt + i * maskBytes)..];
                var mask = BitConverter.ToUInt64(group);
                for (var bit = 0; bit < ProcessorsPerGroup; bit++)
                    if ((mask >> bit & 1) != 0)
                        processors.Add(BitConverter.ToUInt16(group[groupAt..]) * ProcessorsPerGroup + bit);
            }
            nodes.Add((BitConverter.ToInt32(list[nodeAt..]), [.. processors]));
            list = list[size..];
        }
        return nodes;
    }
}
