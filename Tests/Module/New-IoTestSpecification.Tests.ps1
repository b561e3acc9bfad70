BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'New-IoTestSpecification' {
    It 'has the defaults of a test' {
        $test = New-IoTestSpecification
        $test | Should -BeOfType IoBench.Engine.IoTestSpecification
        $test.BlockSize | Should -Be 8KB
        $test.ThreadCount | Should -Be 4
        $test.OutstandingIO | Should -Be 8
        $test.Targets | Should -BeNullOrEmpty
    }

    It 'sets <Name> to <Value>' -ForEach @(
        @{ Name = 'FileSize'; Value = '1.5GB'; Expected = 1.5GB }
        @{ Name = 'BlockSize'; Value = '64KB'; Expected = 65536 }
        @{ Name = 'Alignment'; Value = '4K'; Expected = 4096 }
        @{ Name = 'Stride'; Value = '1MB'; Expected = 1MB }
        @{ Name = 'ThreadStride'; Value = '1GB'; Expected = 1GB }
        @{ Name = 'WriteContentSize'; Value = '20MB'; With = @{ WriteContentFile = '/x/words.bin' }; Expected = 20MB }
        @{ Name = 'Duration'; Value = 30; Property = 'Duration.TotalSeconds'; Expected = 30 }
        @{ Name = 'WarmUp'; Value = '5m'; Property = 'WarmUp.TotalSeconds'; Expected = 300 }
        @{ Name = 'CoolDown'; Value = '500ms'; Property = 'CoolDown.TotalMilliseconds'; Expected = 500 }
        @{ Name = 'RestBefore'; Value = '60s'; Property = 'RestBefore.TotalSeconds'; Expected = 60 }
        @{ Name = 'TimelineInterval'; Value = '100ms'; Property = 'TimelineInterval.TotalMilliseconds'; Expected = 100 }
        @{ Name = 'ThinkTime'; Value = '10ms'; Property = 'ThinkTimeMs'; Expected = 10 }
        @{ Name = 'BurstSize'; Value = 8; Expected = 8 }
        @{ Name = 'ThreadCount'; Value = 7; Expected = 7 }
        @{ Name = 'ThreadCount'; Value = 'auto'; Expected = [System.Math]::Min([System.Environment]::ProcessorCount, 256) }
        @{ Name = 'QD'; Value = 9; Property = 'OutstandingIO'; Expected = 9 }
        @{ Name = 'WritePercent'; Value = 30; Expected = 30 }
        @{ Name = 'AccessPattern'; Value = 'Stride'; Expected = 'Stride' }
        @{ Name = 'RandomPercent'; Value = 20; Property = 'AccessPattern'; Expected = 'PartRandom' }
        @{ Name = 'Buffering'; Value = 'Hardware'; Expected = 'Hardware' }
        @{ Name = 'StripeColumns'; Value = 64; Expected = 64 }
        @{ Name = 'FlushEvery'; Value = 16; Expected = 16 }
        @{ Name = 'TargetIops'; Value = 500; Expected = 500 }
        @{ Name = 'MaxIopsPerThread'; Value = 100; Expected = 100 }
        @{ Name = 'Priority'; Value = 'Low'; Expected = 'Low' }
        @{ Name = 'LargePages'; Value = $true; Expected = $true }
        @{ Name = 'SharedThreadPool'; Value = $true; Expected = $true }
        @{ Name = 'PoolOutstandingIO'; Value = 32; Expected = 32 }
        @{ Name = 'Seed'; Value = 7; Expected = 7 }
        @{ Name = 'Label'; Value = 'A'; Expected = 'A' }
        @{ Name = 'Affinity'; Value = 'RoundRobin'; Property = 'AffinityMode'; Expected = 'RoundRobin' }
        @{ Name = 'Affinity'; Value = '0-2,5'; Property = 'Processors'; Expected = 0, 1, 2, 5 }
        @{ Name = 'WriteContent'; Value = 'zero'; Expected = 'Zero' }
        @{ Name = 'WriteContent'; Value = $PSCommandPath; Property = 'WriteContentFile'; Expected = $PSCommandPath }
        @{ Name = 'WriteContentFile'; Value = '/x/words.bin'; Property = 'WriteContent'; Expected = 'File' }
        @{ Name = 'NullServiceMs'; Value = 2; Property = 'NullDevice.MeanMs'; Expected = 2 }
    ) {
        $more = @{ $Name = $Value } + ($_['With'] ?? @{})
        $found = New-IoTestSpecification @more
        foreach ($part in ($_['Property'] ?? $Name) -split '\.') { $found = $found.$part }
        $found | Should -Be $Expected
    }

    It 'refuses a size of content that no file is cut for' {
        { New-IoTestSpecification -WriteContentSize 20MB } | Should -Throw -ErrorId 'IoBench.ConflictingOptions*' -ExpectedMessage '-WriteContentSize requires contents from a file*'
    }

    It 'says what an object lacks of a specification' {
        { [IoBench.PowerShell.DeserializedObject]::ToSpecification([pscustomobject]@{ A = 1 }) } | Should -Throw '*an object without Targets and BlockSize is not a test specification.*'
        { [IoBench.PowerShell.DeserializedObject]::ToSpecification(5) } | Should -Throw '*an Int32 is not a test specification.*'
        { [IoBench.PowerShell.DeserializedObject]::ToSpecification([version]'1.0') } | Should -Throw '*a Version is not a test specification.*'
    }

    It 'begins with a workload or another specification, which it leaves as it was' {
        $test = New-IoTestSpecification -Workload oltp -WritePercent 50
        $test.WritePercent | Should -Be 50
        $test.BlockSize | Should -Be 8KB
        (Get-IoWorkload oltp -AsSpecification).WritePercent | Should -Be 30
        $other = $test | New-IoTestSpecification -BlockSize 64KB
        $other.WritePercent | Should -Be 50
        $test.BlockSize | Should -Be 8KB
    }

    It 'takes nothing of one object over to the next' {
        $first = New-IoTestSpecification -BlockSize 64KB -WritePercent 30 -Label first -Affinity 0-2
        $made = $first, (New-IoTestSpecification) | New-IoTestSpecification -Seed 7
        $made.BlockSize | Should -Be 64KB, 8KB
        $made.WritePercent | Should -Be 30, 0
        $made.Label | Should -Be 'first', $null
        $made.ForEach({ $_.Processors.Count }) | Should -Be 3, 0
        $made.Seed | Should -Be 7, 7
    }

    It 'takes targets, offsets in them and hot spots' {
        $test = New-IoTestSpecification (Join-Path $TestDrive 'a.dat'), (Join-Path $TestDrive 'b.dat') -BaseOffset 1MB -MaxOffset 2MB -Distribution '90/10', '10/90'
        $test.Targets.Path | Should -Be (Join-Path $TestDrive 'a.dat'), (Join-Path $TestDrive 'b.dat')
        $test.Targets.BaseOffset | Should -Be 1MB, 1MB
        $test.Targets.MaxOffset | Should -Be 2MB, 2MB
        $test.Distribution.IOPercent | Should -Be 90, 10
    }

    It 'takes a result for the test that made it' {
        $result = Invoke-IoTest $TestDrive -Backend Null -Duration 0.1 -WarmUp 0 -BlockSize 64KB -WarningAction SilentlyContinue
        ($result | New-IoTestSpecification -Label again).BlockSize | Should -Be 65536
    }

    It 'runs' {
        $result = New-IoTestSpecification (Join-Path $TestDrive 'run.dat') -NullServers 4 -NullServiceMs 1 -Duration 0.3 -WarmUp 0 | Invoke-IoTest -WarningAction SilentlyContinue
        $result.Status | Should -Be 'Complete'
        $result.AverageLatencyMs | Should -BeGreaterThan 1
    }

    It 'takes sizes with their shares and processors without quotes, which PowerShell reads as lists' {
        "$((New-IoTestSpecification -BlockMix 8KB:60,64KB:40).BlockMix)" | Should -Be '8KB:60,64KB:40'
        "$((New-IoTestSpecification -BlockMix 8KB,64KB).BlockMix)" | Should -Be '8KB:50,64KB:50'
        (New-IoTestSpecification -Affinity 0, 1).Processors | Should -Be 0, 1
        (New-IoTestSpecification -Affinity 0-1).Processors | Should -Be 0, 1
        "$((New-IoTestSpecification -BlockMix 'read 8KB / write 64KB').BlockMix)" | Should -Be 'read 8KB:100 / write 64KB:100'
    }
}
