using System.Buffers.Binary;

namespace IoBench.Engine.Tests;

public class ProcessorTopologyTests
{
    [Fact]
    public void CPUs_are_ordered_by_node_even_if_numbers_alternate_across_nodes()
    {
        var folder = Directory.CreateTempSubdirectory("iobench-nodes-").FullName;
        try
        {
            // Two sockets with even and odd CPU numbers, as Linux numbers them, and a node that has only memory.
            Node("node1", "1,3,5,7\n");
            Node("node0", "0,2,4,6\n");
            Node("node2", "\n");
            File.WriteAllText(Path.Combine(folder, "online"), "0-2\n");
            var topology = new ProcessorTopology(ProcessorTopology.ReadLinuxNodes(folder));
            Assert.Equal(2, topology.NodeCount);
            Assert.Equal([0, 2, 4, 6, 1, 3, 5, 7], topology.OrderByNode(Enumerable.Range(0, 8)));
            Assert.Equal([4, 1, 9], topology.OrderByNode([9, 1, 4]));
            Assert.Equal((0, 1, null), (topology.GetNode(6), topology.GetNode(7), topology.GetNode(8)));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        void Node(string name, string list) =>
            File.WriteAllText(Path.Combine(Directory.CreateDirectory(Path.Combine(folder, name)).FullName, "cpulist"), list);
    }

    [Theory]
    [InlineData("0-3,8-9\n", new[] { 0, 1, 2, 3, 8, 9 })]
    [InlineData("5", new[] { 5 })]
    [InlineData("", new int[0])]
    public void Kernel_CPU_lists_are_parsed(string text, int[] expected) => Assert.Equal(expected, ProcessorTopology.ParseCpuList(text));

    [Fact]
    public void Windows_nodes_are_parsed_with_and_without_a_group_count()
    {
        // Node 0: CPUs 0 and 1 of group 0 (count 0, as before Windows Server 2022). Node 1: CPU 63 of group 0 and CPU 2 of group 1.
        byte[] list = [.. Entry(0, 0, (0b11, 0)), .. Entry(1, 2, (1UL << 63, 0), (0b100, 1))];
        var nodes = ProcessorTopology.ParseWindowsNodes(list);
        Assert.Equal([(0, 2), (1, 2)], nodes.Select(n => (n.Node, n.Processors.Length)));
        Assert.Equal([0, 1], nodes[0].Processors);
        Assert.Equal([63, 66], nodes[1].Processors);
        Assert.Empty(ProcessorTopology.ParseWindowsNodes(list.AsSpan(0, 20)));

        static byte[] Entry(int node, ushort count, params (ulong Mask, ushort Group)[] masks)
        {
            var entry = new byte[32 + 16 * masks.Length];
            BinaryPrimitives.WriteInt32LittleEndian(entry, 1);
            BinaryPrimitives.WriteInt32LittleEndian(entry.AsSpan(4), entry.Length);
            BinaryPrimitives.WriteInt32LittleEndian(entry.AsSpan(8), node);
            BinaryPrimitives.WriteUInt16LittleEndian(entry.AsSpan(30), count);
            for (var i = 0; i < masks.Length; i++)
            {
                BinaryPrimitives.WriteUInt64LittleEndian(entry.AsSpan(32 + 16 * i), masks[i].Mask);
                BinaryPrimitives.WriteUInt16LittleEndian(entry.AsSpan(40 + 16 * i), masks[i].Group);
            }
            return entry;
        }
    }

    [Fact]
    public void Workers_are_bound_to_CPUs_in_node_order()
    {
        var available = ProcessorTopology.GetAvailableProcessors();
        // Every other CPU of this computer is in the second node, so the first threads get the CPUs of the first node.
        var topology = new ProcessorTopology([
            (0, [.. available.Where((_, i) => i % 2 == 1)]),
            (1, [.. available.Where((_, i) => i % 2 == 0)]),
        ]);
        var pattern = new IoPattern { AffinityMode = IoAffinityMode.RoundRobin };
        var order = Enumerable
            .Range(0, available.Length)
            .Select(thread => ProcessorTopology.GetProcessors(pattern, thread, topology).Single())
            .ToArray();
        Assert.Equal(available.Order(), order.Order());
        Assert.Equal(
            order.Order(Comparer<int>.Create((a, b) => topology.GetNode(a)!.Value - topology.GetNode(b)!.Value)).Select(topology.GetNode),
            order.Select(topology.GetNode)
        );
        // A list of CPUs in the specification is used in its order.
        pattern.Processors = [available[^1], available[0]];
        Assert.Equal([available[^1]], ProcessorTopology.GetProcessors(pattern, 0, topology));
    }

    [Fact]
    public void Local_topology_has_a_node_for_each_CPU_or_no_nodes()
    {
        var topology = ProcessorTopology.Current;
        if (topology.NodeCount > 0)
            Assert.All(ProcessorTopology.GetAvailableProcessors(), p => Assert.NotNull(topology.GetNode(p)));
        Assert.Equal(
            ProcessorTopology.GetAvailableProcessors().Order(),
            topology.OrderByNode(ProcessorTopology.GetAvailableProcessors()).Order()
        );
    }

    /// <summary>Windows keeps the threads of a process in one CPU group unless they set their group.</summary>
    [Fact]
    public void Threads_without_affinity_use_CPU_groups_in_turn()
    {
        int[] first = [.. Enumerable.Range(0, 40)],
            second = [.. Enumerable.Range(64, 32)];
        Assert.Equal(
            [first, second, first],
            Enumerable.Range(0, 3).Select(thread => ProcessorTopology.GetGroup(thread, [.. first, .. second]))
        );
        // With one group, no thread sets its group.
        Assert.Empty(ProcessorTopology.GetGroup(1, first));
    }
}
