BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function New-MemberFile {
        <# What a member prints that has run a test. #>
        param([string] $Name, [double] $Iops, [switch] $IsCut)
        $result = New-TestResult -Iops $Iops
        $result.StartOffsetSeconds = 0.01
        $say = { param($state, $more) '{{"state":"{0}","member":"{1}","group":"night"{2}}}' -f $state, $Name, $more }
        $lines = @(
            & $say Hello ',"count":1'
            if (-not $IsCut) {
                & $say Done (',"test":1,"result":' + [IoBench.Formats.JsonResultSerializer]::SerializeToElement($result).GetRawText() -replace '\n\s*')
                & $say End
            }
        )
        $file = Join-Path $TestDrive "$Name.jsonl"
        Set-Content $file $lines
        $file
    }
}

Describe 'Receive-IoFleet' {
    It 'merges files in any order, from the pipeline too' {
        $files = @((New-MemberFile b 300), (New-MemberFile a 100))
        $answer = Get-Item $files | Receive-IoFleet
        $answer.Hosts.Host | Should -Be 'a', 'b'
        $answer.IOPS | Should -BeGreaterThan 400
        (Receive-IoFleet -Path $files[1], $files[0]).Summary | Should -Be $answer.Summary
    }

    It 'reports a file that breaks off as a failure of its host, and saves the rest' {
        $files = @((New-MemberFile b 300), (New-MemberFile c 1 -IsCut))
        $output = Join-Path $TestDrive 'all.json'
        $answer = Receive-IoFleet -Path $files -OutputPath $output -ErrorVariable lost -ErrorAction SilentlyContinue
        $answer.Failures.Host | Should -Be 'c'
        $lost.FullyQualifiedErrorId | Should -BeLike 'IoBench.HostLost,*'
        (Import-IoResult $output).Member | Should -Be 'b'
    }

    It 'says that files hold nothing of members' {
        $file = Join-Path $TestDrive 'empty.jsonl'
        Set-Content $file 'not a line of a member'
        (Get-ErrorOf { Receive-IoFleet -Path $file }).FullyQualifiedErrorId | Should -BeLike 'IoBench.NoFleet,*'
    }

    It 'writes nothing with -WhatIf' {
        $output = Join-Path $TestDrive 'untouched.json'
        (Receive-IoFleet -Path (New-MemberFile d 300) -OutputPath $output -WhatIf).Hosts.Host | Should -Be 'd'
        $output | Should -Not -Exist
    }
}
