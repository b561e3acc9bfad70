using System.Collections;

namespace IoBench.Application.Outputs;

/// <summary>Lists one behind the other, each as it was given: one that reads its items when they are asked for is not read here.</summary>
internal sealed class JoinedLists<T> : IReadOnlyList<T>
{
    private readonly List<IReadOnlyList<T>> _lists = [];

    public int Count { get; private set; }

    public T this[int index]
    {
        get
        {
            foreach (var list in _lists)
            {
                if (index < list.Count)
                    return list[index];
                index -= list.Count;
            }
            throw new ArgumentOutOfRangeException(nameof(index));
        }
    }

    public void Add(IReadOnlyList<T> list)
    {
        _lists.Add(list);
        Count += list.Count;
    }

    public IEnumerator<T> GetEnumerator() => _lists.SelectMany(list => list).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
