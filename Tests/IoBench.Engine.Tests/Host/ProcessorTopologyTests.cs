using System.Buffers.Binary;

namespace IoBench.Engine.Tests;

public class ProcessorTopologyTests
{
    [Fact]
    public void Threads_fill_one_node_before_the_next_even_where_numbers_are_dealt_out_across_nodes()
    {
        var folder = Directory.CreateTempSubdirectory("iobench-nodes-").FullName;
        try
        {
            // Two sockets with even and odd CPU numbers, as Linux numbers them, and a node that has only memory.
            Node("node1", "1,3,5,7\n");
            Node("node0", "0,2,4,6\n");
            Node("node2", "\n");
            File.WriteAllText(Path.Combine(folder, "online"), "0-2\n");
            var topology = new ProcessorTopology(ProcessorTopology.LinuxNodes(folder));
            Assert.Equal(2, topology.NodeCount);
            Assert.Equal([0, 2, 4, 6, 1, 3, 5, 7], topology.InOrder(Enumerable.Range(0, 8)));
            Assert.Equal([4, 1, 9], topology.InOrder([9, 1, 4]));
            Assert.Equal((0, 1, null), (topology.NodeOf(6), topology.NodeOf(7), topology.NodeOf(8)));
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
    public void Lists_of_the_kernel_are_read(string text, int[] expected) => Assert.Equal(expected, ProcessorTopology.ParseList(text));

    [Fact]
    public void Nodes_of_Windows_are_read_with_groups_and_without_their_count()
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
    public void A_worker_gets_its_processor_by_nodes()
    {
        var available = ThreadAffinity.Available();
        // Every other CPU of this computer is in the second node, so the first threads get the CPUs of the first node.
        var topology = new ProcessorTopology([
            (0, [.. available.Where((_, i) => i % 2 == 1)]),
            (1, [.. available.Where((_, i) => i % 2 == 0)]),
        ]);
        var pattern = new IoPattern { AffinityMode = IoAffinityMode.RoundRobin };
        var order = Enumerable
            .Range(0, available.Length)
            .Select(thread => ThreadAffinity.ProcessorsOf(pattern, thread, topology).Single())
            .ToArray();
        Assert.Equal(available.Order(), order.Order());
        Assert.Equal(
            order.Order(Comparer<int>.Create((a, b) => topology.NodeOf(a)!.Value - topology.NodeOf(b)!.Value)).Select(topology.NodeOf),
            order.Select(topology.NodeOf)
        );
        // A list of CPUs in the specification is used in its order.
        pattern.Processors = [available[^1], available[0]];
        Assert.Equal([available[^1]], ThreadAffinity.ProcessorsOf(pattern, 0, topology));
    }

    [Fact]
    public void This_computer_has_a_node_for_each_processor_or_tells_of_none()
    {
        var topology = ProcessorTopology.Current;
        if (topology.NodeCount > 0)
            Assert.All(ThreadAffinity.Available(), p => Assert.NotNull(topology.NodeOf(p)));
        Assert.Equal(ThreadAffinity.Available().Order(), topology.InOrder(ThreadAffinity.Available()).Order());
    }

    /// <summary>Windows keeps the threads of a process in one CPU group unless they set their group.</summary>
    [Fact]
    public void Threads_without_an_affinity_take_the_groups_in_turn()
    {
        int[] first = [.. Enumerable.Range(0, 40)],
            second = [.. Enumerable.Range(64, 32)];
        Assert.Equal(
            [first, second, first],
            Enumerable.Range(0, 3).Select(thread => ThreadAffinity.GroupOf(thread, [.. first, .. second]))
        );
        // With one group, no thread sets its group.
        Assert.Empty(ThreadAffinity.GroupOf(1, first));
    }
}
